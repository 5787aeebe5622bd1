package harrier;

import harrier.host.Declaration;
import harrier.host.Stage;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A closed program under check: which actors there are, which messages start it, and what must hold.
 *
 * <p>{@link #setUp} creates the actors, in named roles, and sends the first messages.
 * {@link Invariant} and {@link Final} methods and {@link #expectFinal} read the actors' states and the {@link #history}
 * of their operations. {@link Parameter} fields are set from the command line before {@code setUp} runs. A scenario has a constructor
 * without parameters.
 *
 * <pre>{@code
 * public final class PingPong extends Scenario {
 *     @Parameter int rounds = 3;
 *
 *     @Override protected void setUp() {
 *         var pong = create("pong", new Pong());
 *         create("ping", new Ping(pong, rounds));
 *     }
 *
 *     @Invariant("no more pongs than pings")
 *     boolean balanced() {
 *         return actors(Ping.class).allMatch(p -> p.received() <= rounds);
 *     }
 * }
 * }</pre>
 *
 * @see <a href="{@docRoot}/first-protocol.html">Your first protocol</a>
 * @see <a href="{@docRoot}/guide.html">Guide</a>
 */
public abstract class Scenario {
    private Stage<ActorName, Actor, InFlight, History> stage;

    /** For subclasses. */
    protected Scenario() {}

    /**
     * Creates the actors and sends the first messages. Runs once for each thread that answers questions about
     * the program, on a scenario and classes of its own, and must do the same each time.
     */
    protected abstract void setUp();

    /** Ends the set-up, where all that works in {@link #setUp} works: for classes that stand between this one and scenarios of a kind. */
    protected void endSetUp() {}

    /**
     * Whether a state in which no event is enabled is an expected terminal state. When it is overridden and
     * returns false in such a state, that is a violation. It reads actors as invariants do. It is a {@link Final}
     * condition without a name of its own, unless that annotation gives it one. Without an override every terminal state is
     * expected.
     */
    protected boolean expectFinal() {
        return true;
    }

    /**
     * Creates one actor, named {@code role}, and runs its {@link Actor#start}. Nothing may be done to the object after
     * that. Works in {@link #setUp}.
     */
    protected final ActorName create(String role, Actor actor) {
        ActorName.requireRole(role);
        return stage().create(role, role, Objects.requireNonNull(actor, "an actor must not be null"));
    }

    /**
     * Creates {@code n} actors (none or more) of one role, named {@code role1} to {@code roleN}, each from its index,
     * 0 to {@code n - 1}, and runs their {@link Actor#start}: index {@code i} is of the name {@code role} with {@code i + 1}, which
     * is element {@code i} of what this returns. Works in {@link #setUp}.
     *
     * @return their names, a {@link Role}
     */
    protected final List<ActorName> create(String role, int n, IntFunction<? extends Actor> actor) {
        ActorName.requireRole(role);
        requireNumber("create", role, n);
        for (int i = 0; i < n; i++) {
            stage().create(role, Role.name(role, i).toString(), Objects.requireNonNull(actor.apply(i), "an actor must not be null"));
        }
        return new Role(role, n);
    }

    /**
     * A number from 0 to {@code n - 1}, in {@link #setUp}, as {@link Actor#choose} in an actor's {@code start}: each of them begins in a first
     * state of its own. {@code harrier check --set setUp.choose=all} checks one after another.
     *
     * @param n how many alternatives there are, at least 1
     */
    protected final int choose(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("choose(" + n + "): at least one alternative is needed");
        }
        return stage().choose(n);
    }

    /**
     * Creates an actor that is a whole program: {@code main} runs on its first thread, and its static fields are its own. It has
     * sockets, and sends no other messages. Works in {@link #setUp}.
     *
     * @param name the name of the actor, and that of its host
     */
    protected final ActorName process(String name, Program main) {
        return create(name, new ProcessActor(Objects.requireNonNull(main, "a program must not be null")));
    }

    /**
     * The names of the {@code n} actors that {@link #create(String, int, IntFunction)} is still to create in a role, so that they can
     * know one another. Works in {@link #setUp}, which must then create them.
     *
     * @return what {@code create} will return, a {@link Role}
     */
    protected final List<ActorName> names(String role, int n) {
        ActorName.requireRole(role);
        requireNumber("names", role, n);
        stage().declare(new Declaration(Declaration.Kind.NAMES, n, List.of(role)));
        return new Role(role, n);
    }

    /**
     * The name of the actor that {@link #create(String, Actor)} is still to create, so that others can know it. Works in {@link #setUp}, which
     * must then create it.
     */
    protected final ActorName name(String role) {
        ActorName.requireRole(role);
        return ActorName.of(role);
    }

    private static void requireNumber(String method, String role, int n) {
        if (n < 0) {
            throw new IllegalArgumentException(method + "(\"" + role + "\", " + n + "): there cannot be fewer than 0 actors");
        }
    }

    /** Sends a first message. It has no sender: {@code reply} to it fails. Works in {@link #setUp}. */
    protected final void send(ActorName to, Object message) {
        stage().send(to, message);
    }

    /** What the network does to messages. Works in {@link #setUp}, before or after actors are created. */
    protected final Network network() {
        return new Network(stage()::declare, stage()::time);
    }

    /** Which actors may crash, and which are Byzantine. Works in {@link #setUp}, before or after actors are created. */
    protected final Faults faults() {
        return new Faults(stage()::declare);
    }

    /** Which actors are explored as one component. Works in {@link #setUp}, before or after actors are created. */
    protected final Components components() {
        return new Components(stage()::declare);
    }

    /** What happens sooner or later, for properties of whole runs. Works in {@link #setUp}, before or after actors are created. */
    protected final Fairness fairness() {
        return new Fairness(stage()::declare);
    }

    /** When timers may fire. Works in {@link #setUp}, before actors are created. */
    protected final Timers timers() {
        return new Timers(stage()::timersInOrder, stage()::timersAtMost);
    }

    /** Where clocks start. Works in {@link #setUp}, before actors are created. */
    protected final ClockSettings clock() {
        return new ClockSettings(stage()::clocksStartAt);
    }

    /** How time goes on by itself. Works in {@link #setUp}, before actors are created. */
    protected final Clocks clocks() {
        return new Clocks(stage()::time);
    }

    /**
     * Declares that the operations that actors begin with {@code invoked} and end with {@code returned} are linearizable:
     * each seems to take effect at one moment in between, as the specification says. Works in {@link #setUp}, once.
     *
     * <p>The specification is a class with a constructor without parameters. Its objects are the states; a method
     * {@code apply} for each class that {@code invoked} is given takes it, changes the state and returns the result,
     * which is compared by {@code equals}. It must not depend on anything else.
     *
     * <pre>{@code
     * final class Register {
     *     private int value;
     *
     *     Integer apply(Read r) {
     *         return value;
     *     }
     *
     *     Object apply(Write w) {
     *         value = w.value();
     *         return null;
     *     }
     * }
     * }</pre>
     *
     * <p>What a specification leaves open it chooses: {@code apply} may have a second parameter, an {@link
     * java.util.function.IntUnaryOperator}, which given {@code n} gives a number from 0 to {@code n - 1}. Every one is explored.
     *
     * <p>If it has static methods {@code key} with the same parameters, operations with different keys are of different
     * objects, each with a state of its own. An operation whose actor crashed takes effect at any time after that, or never.
     *
     * <p>States keep no history for it, but what may still become of the specification: so operations may go on for
     * ever. A scenario has this or {@link #history}.
     */
    protected final void linearizable(Class<?> specification) {
        stage().linearizable(Objects.requireNonNull(specification, "a specification must not be null"));
    }

    /**
     * Declares that operations are regular: as {@link #linearizable} says, but of each read by itself, together with the
     * operations that are no reads. So two reads may see writes in different orders. With one writer, a read returns the
     * value of the last write before it, or of one that is concurrent with it (Lamport: "On interprocess communication",
     * 1986). Works in {@link #setUp}, once, in place of {@link #linearizable}.
     *
     * @param read the class of the operations that read; they must not change the state
     */
    protected final void regular(Class<?> specification, Class<?> read) {
        stage().regular(Objects.requireNonNull(specification, "a specification must not be null"),
            Objects.requireNonNull(read, "the class of reads must not be null"));
    }

    /**
     * The states of the actors of a class (or of its subclasses), by name. Works in properties.
     * They are to be read only: call their accessors, change nothing.
     */
    protected final <A extends Actor> Stream<A> actors(Class<A> type) {
        return stage().actors(type);
    }

    /**
     * The state of one actor. Works in properties.
     *
     * @throws IllegalArgumentException if there is no such actor, or it is of another class
     */
    protected final <A extends Actor> A actor(ActorName name, Class<A> type) {
        return stage().actor(name, type);
    }

    /**
     * What {@code read} gives in a process: the static fields that it reads are those of this process. Works in properties.
     *
     * <pre>{@code
     * in(n1, () -> Main.decided)
     * }</pre>
     */
    protected final <T> T in(ActorName process, Supplier<T> read) {
        return stage().in(process, read);
    }

    /**
     * The messages that were sent and are not consumed, in any order. Works in properties. If the scenario's classes
     * call it, or {@link #stopped}, each step is taken by itself: then there is no reduction, no symmetry and no local search.
     */
    protected final Stream<InFlight> inFlight() {
        return stage().inFlight();
    }

    /**
     * The actors of a class (or of its subclasses) that have stopped, or crashed for good, by name; each in the last
     * state that it had. Works in properties, as {@link #inFlight} does.
     */
    protected final <A extends Actor> Stream<A> stopped(Class<A> type) {
        return stage().stopped(type);
    }

    /**
     * Reports whether an actor is down: it has crashed, and may start again ({@link Faults#staysDown}). It is false of an actor that does
     * not exist. Works in properties, in which {@link #actors} and {@link #actor} give actors that are down as the crash left them.
     */
    protected final boolean isDown(ActorName actor) {
        return stage().isDown(actor);
    }

    /**
     * The operations that actors have begun and ended so far, less those that {@link #keeps} gave up. Works in
     * properties. If the scenario's classes do not call it, no history is kept.
     */
    protected final History history() {
        return stage().history();
    }

    /**
     * Whether a completed operation is still needed. What the history holds is part of the state, so a
     * check ends sooner, or at all, if operations are given up that no property will ask about.
     *
     * <p>It is asked right before the history grows: when a step calls {@code invoked} or {@code returned},
     * then first about each completed operation, with the history as it was before the step; those for which
     * it is false are given up together. So properties have seen an operation before it is given up, and one that
     * returns stays until something is invoked or returns in a later step. Pending operations stay always.
     *
     * <p>The answer must follow from the two arguments and from fields that {@link #setUp} filled. Actors
     * cannot be read here, and an exception breaks a rule.
     */
    protected boolean keeps(Operation operation, History history) {
        return true;
    }

    final void bind(Stage<ActorName, Actor, InFlight, History> newStage) {
        stage = newStage;
    }

    private Stage<ActorName, Actor, InFlight, History> stage() {
        if (stage == null) {
            throw new IllegalStateException(
                "create, names, send, choose, network, faults, components, fairness, linearizable, regular, timers and clock work in"
                    + " setUp(), actors, actor and history in properties");
        }
        return stage;
    }
}
