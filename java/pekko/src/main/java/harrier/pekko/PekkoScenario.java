package harrier.pekko;

import harrier.ActorName;
import harrier.Scenario;
import harrier.Show;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.internal.receptionist.LocalReceptionist;
import org.apache.pekko.actor.typed.receptionist.Receptionist;

/**
 * A scenario of typed actors of Pekko: {@link #setUp} spawns them, and properties read what their behaviors hold.
 *
 * <pre>{@code
 * public final class Counting extends PekkoScenario {
 *     private ActorRef<Counter.Command> counter;
 *
 *     @Override protected void setUp() {
 *         counter = spawn(Counter.create(), "counter");
 *         counter.tell(new Counter.Increment());
 *     }
 *
 *     @Invariant("it counts once")
 *     boolean once() {
 *         return state(counter, Counter.class).value() <= 1;
 *     }
 * }
 * }</pre>
 *
 * <p>Messages of one actor to another arrive in the order in which they were told; of different actors in any order.
 */
@Show({"harrier.pekko.Current=shown", "harrier.pekko.Ref=name", "harrier.pekko.Mail$To=message", "harrier.pekko.Mail$Alarm=shown", "harrier.pekko.Storage$Shown=shown",
    "harrier.pekko.Context=", "harrier.pekko.Children=", "harrier.pekko.Watches=", "harrier.pekko.Alarms=", "harrier.pekko.Parts=",
    "harrier.pekko.Timers=", "harrier.pekko.Cell=", "harrier.pekko.Inbox=", "harrier.pekko.Mail$Control=command", "harrier.pekko.Mail$PassOn=mail", "harrier.pekko.ClassicActor$Present=shown", "harrier.pekko.ClassicActor$Course=", "harrier.pekko.LibraryActor$Tasks=", "harrier.pekko.LibraryActor$Starts=",
    "harrier.pekko.Services=", "harrier.pekko.Storage=", "harrier.pekko.ClassicRef=name", "org.apache.pekko.pattern.PromiseActorRef=to",
    "org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter=classicRef", "harrier.pekko.Questions=", "harrier.pekko.Mail$Tell=message",
    "org.apache.pekko.actor.typed.javadsl.BuiltReceive="})
public abstract class PekkoScenario extends Scenario {
    /** Null before the first actor is spawned. */
    private Services services;
    /** The actors that paths find. */
    private final Set<ActorName> found = new HashSet<>();

    /** For subclasses. */
    protected PekkoScenario() {}

    /** Has actors find one another by the library's receptionist. Works in {@link #setUp}, before any actor is spawned. */
    protected final void withReceptionist() {
        if (services != null) {
            throw new IllegalStateException("withReceptionist() comes before any actor is spawned");
        }
        begin();
        Behavior<Receptionist.Command> behavior = LocalReceptionist.behavior();
        services = new Services(services.system(), create("receptionist", new TypedActor<>(behavior, null, services, Map.of())));
    }

    /** Spawns an actor, below {@code /user}. Works in {@link #setUp}. */
    protected final <T> ActorRef<T> spawn(Behavior<T> behavior, String name) {
        begin();
        return new Ref<>(found(create(name, new TypedActor<>(Objects.requireNonNull(behavior), null, services, Map.of()))));
    }

    /**
     * Spawns {@code n} actors of a role, named {@code role1} to {@code roleN}, each from its index, from 0 on. Those that differ in
     * their names only are symmetric. Works in {@link #setUp}.
     */
    protected final <T> List<ActorRef<T>> spawn(String role, int n, IntFunction<Behavior<T>> behavior) {
        begin();
        return refs(found(create(role, n, i -> new TypedActor<>(Objects.requireNonNull(behavior.apply(i)), null, services, Map.of()))));
    }

    /** The references to the {@code n} actors that are still to be spawned in a role. Works in {@link #setUp}. */
    protected final <T> List<ActorRef<T>> refs(String role, int n) {
        begin();
        return refs(names(role, n));
    }

    private static <T> List<ActorRef<T>> refs(List<ActorName> names) {
        List<ActorRef<T>> refs = new ArrayList<>();
        names.forEach(name -> refs.add(new Ref<>(name)));
        return List.copyOf(refs);
    }

    /** Creates a classic actor, below {@code /user}. Works in {@link #setUp}. */
    protected final org.apache.pekko.actor.ActorRef actorOf(Props props, String name) {
        begin();
        return new ClassicRef(found(create(name, classic(props))));
    }

    /**
     * Creates {@code n} classic actors of a role, named {@code role1} to {@code roleN}, each from its index, from 0 on. Those that differ
     * in their names only are symmetric. Works in {@link #setUp}.
     */
    protected final List<org.apache.pekko.actor.ActorRef> actorsOf(String role, int n, IntFunction<Props> props) {
        begin();
        return classic(found(create(role, n, i -> classic(props.apply(i)))));
    }

    /** The references to the {@code n} classic actors that are still to be created in a role. Works in {@link #setUp}. */
    protected final List<org.apache.pekko.actor.ActorRef> refsOf(String role, int n) {
        begin();
        return classic(names(role, n));
    }

    private ClassicActor classic(Props props) {
        ClassicSystem.ONLY.settings(); // read before any step
        return new ClassicActor(Objects.requireNonNull(props), null, services);
    }

    private static List<org.apache.pekko.actor.ActorRef> classic(List<ActorName> names) {
        return names.stream().<org.apache.pekko.actor.ActorRef>map(ClassicRef::new).toList();
    }

    /** Has what {@code setUp} tells sent by the scenario. */
    private void begin() {
        if (services == null) {
            network().fifo();
            services = new Services(name(NamePath.SYSTEM), null);
        }
        Outbox.HERE.set(this::send);
    }

    /** Has paths find an actor. */
    private ActorName found(ActorName actor) {
        found.add(actor);
        return actor;
    }

    private List<ActorName> found(List<ActorName> actors) {
        found.addAll(actors);
        return actors;
    }

    /** Creates the actor that knows those of {@link #setUp}. */
    @Override
    protected final void endSetUp() {
        if (services != null) {
            create(NamePath.SYSTEM, new SystemActor(new HashSet<>(found)));
        }
    }

    /**
     * A number from 0 to {@code n - 1}, each of which is explored. Works in behaviors, of clients for instance, whose messages are still
     * to be chosen.
     */
    public static int choice(int n) {
        return LocalSystem.actor().chooseOf(n);
    }

    /**
     * The object of a class that an actor's behavior is or holds, such as an {@code AbstractBehavior} or what a lambda takes along.
     * Works in properties.
     *
     * @throws NoSuchElementException if there is none: the actor has stopped, or behaves otherwise now
     */
    protected final <S> S state(ActorRef<?> actor, Class<S> type) {
        return states(actor, type).findFirst().orElseThrow(() -> new NoSuchElementException("no " + type.getSimpleName() + " in " + actor));
    }

    /** The objects of a class that an actor's behavior holds; none if it has stopped. Works in properties. */
    protected final <S> Stream<S> states(ActorRef<?> actor, Class<S> type) {
        return behavior(actor).stream().flatMap(b -> Held.by(b, type));
    }

    /** Reports whether an actor's behavior was made by a method with this name, such as one that stands for a state. Works in properties. */
    protected final boolean isIn(ActorRef<?> actor, String method) {
        return behavior(actor).stream().anyMatch(b -> Held.methods(b).anyMatch(method::equals));
    }

    /** Reports whether an actor has not stopped. Works in properties. */
    protected final boolean isAlive(ActorRef<?> actor) {
        return !behavior(actor).isEmpty();
    }

    /**
     * The present object of a classic actor, whose fields properties read. Works in properties.
     *
     * @throws NoSuchElementException if there is none: the actor has stopped, or is of another class
     */
    protected final <S> S state(org.apache.pekko.actor.ActorRef actor, Class<S> type) {
        return instance(actor).filter(type::isInstance).map(type::cast).findFirst()
            .orElseThrow(() -> new NoSuchElementException("no " + type.getSimpleName() + " in " + actor.path()));
    }

    /** The present objects of all classic actors of a class. Works in properties. */
    protected final <S> Stream<S> instances(Class<S> type) {
        return actors(ClassicActor.class).map(ClassicActor::instance).filter(type::isInstance).map(type::cast);
    }

    /** Reports whether a classic actor has not stopped. Works in properties. */
    protected final boolean isAlive(org.apache.pekko.actor.ActorRef actor) {
        return instance(actor).findFirst().isPresent();
    }

    private Stream<Object> instance(org.apache.pekko.actor.ActorRef actor) {
        ActorName name = ClassicRef.of(actor).name();
        return actors(ClassicActor.class).filter(a -> a.self().equals(name)).<Object>map(ClassicActor::instance).filter(Objects::nonNull);
    }

    private List<Behavior<?>> behavior(ActorRef<?> actor) {
        ActorName name = Ref.of(actor).name();
        List<Behavior<?>> found = new ArrayList<>();
        actors(TypedActor.class).filter(a -> a.self().equals(name)).forEach(a -> found.add(a.behavior()));
        return found;
    }
}
