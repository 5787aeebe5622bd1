package harrier.pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import harrier.ActorName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.DynamicAccess;
import org.apache.pekko.actor.Nobody$;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Dispatchers;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Scheduler;
import org.apache.pekko.actor.typed.Settings;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.ExecutionContext;
import scala.concurrent.ExecutionContextExecutor;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;
import scala.runtime.Nothing$;

/** The system of all actors, as far as one actor reaches it. It has no state. */
final class LocalSystem extends ActorSystem<Nothing$> {
    static final String NAME = "harrier";
    /** Runs what it is given at once. */
    static final ExecutionContext PARASITIC = new AtOnce();

    /** The settings: those of the library's own files, which take a second to read, if the program brings persistence. */
    static final class Configuration {
        private static final ClassLoader LOADER = LocalSystem.class.getClassLoader();
        static final boolean HAS_PERSISTENCE = LOADER.getResource("org/apache/pekko/persistence/typed/PersistenceId.class") != null;
        static final Config CONFIG = HAS_PERSISTENCE
            ? ConfigFactory.parseString("pekko.persistence { journal.plugin = pekko.persistence.journal.inmem,"
                + " snapshot-store.plugin = pekko.persistence.snapshot-store.local, state.plugin = pekko.persistence.durable-states,"
                + " durable-states.class = harrier.pekko.DurableStates }").withFallback(ConfigFactory.defaultReference(LOADER))
            : ConfigFactory.parseString("pekko.actor.typed.restart-stash-capacity = 1000");
        static final Settings SETTINGS = new Settings(CONFIG, null, NAME);

        private Configuration() {}
    }

    static final LocalSystem ONLY = new LocalSystem();

    private LocalSystem() {}

    /** What the library makes for all actors. If an actor has it when the checks begin, others may have it, too. */
    static List<Object> shared() {
        return Configuration.HAS_PERSISTENCE ? Stores.shared() : List.of();
    }

    /** The error for what is missing. It is one that no supervisor can take without the check noticing. */
    static AssertionError unsupported(String what) {
        return new AssertionError(what + " is not there: harrier runs actors without the library's ActorSystem");
    }

    private static class AtOnce implements ExecutionContextExecutor {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void reportFailure(Throwable cause) {
            throw Failing.unchecked(cause);
        }
    }

    /** Runs what it is given as tasks of the actor that runs. */
    private static final class Later extends AtOnce {
        @Override
        public void execute(Runnable task) {
            actor().later(task);
        }
    }

    /** The actor that runs. */
    static LibraryActor actor() {
        LibraryActor actor = Outbox.here().actor();
        if (actor == null) {
            throw new AssertionError("this works in actors, not in setUp()");
        }
        return actor;
    }

    /** The actor that runs, which is a typed one. */
    static TypedActor<?> typedActor() {
        if (actor() instanceof TypedActor<?> typed) {
            return typed;
        }
        throw unsupported("a store of classic actors");
    }

    /** Does things later, as the actor that runs. */
    private static final class LocalScheduler implements Scheduler {
        @Override
        public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext context) {
            return scheduleOnce(Context.java(delay), task, context);
        }

        @Override
        public Cancellable scheduleOnce(Duration delay, Runnable task, ExecutionContext context) {
            return actor().alarms().task(delay, task);
        }

        @Override
        public Cancellable scheduleWithFixedDelay(FiniteDuration first, FiniteDuration delay, Runnable task, ExecutionContext context) {
            return actor().alarms().tasks(Context.java(first), Context.java(delay), task);
        }

        @Override
        public Cancellable scheduleWithFixedDelay(Duration first, Duration delay, Runnable task, ExecutionContext context) {
            return actor().alarms().tasks(first, delay, task);
        }

        @Override
        public Cancellable scheduleAtFixedRate(FiniteDuration first, FiniteDuration interval, Runnable task, ExecutionContext context) {
            return actor().alarms().tasks(Context.java(first), Context.java(interval), task);
        }

        @Override
        public Cancellable scheduleAtFixedRate(Duration first, Duration interval, Runnable task, ExecutionContext context) {
            return actor().alarms().tasks(first, interval, task);
        }
    }

    /** Takes messages that nobody gets. */
    private static class DeadLetters<T> extends ActorRefAdapter<T> {
        private static final DeadLetters<Object> ONLY = new DeadLetters<>();

        private DeadLetters() {
            super(Nobody$.MODULE$);
        }

        @Override
        public void tell(T message) {}

        @Override
        public String toString() {
            return "/deadLetters";
        }
    }

    /** Takes what is published, and no subscribers. */
    private static final class Dropping extends DeadLetters<EventStream.Command> {
        @Override
        public void tell(EventStream.Command message) {
            if (!(message instanceof EventStream.Publish<?>)) {
                throw unsupported("a subscription to the event stream");
            }
        }
    }

    private static final ActorRef<EventStream.Command> DROPPING = new Dropping();
    private static final ExecutionContextExecutor LATER = new Later();
    private static final Scheduler SCHEDULER = new LocalScheduler();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Settings settings() {
        return Configuration.SETTINGS;
    }

    @Override
    public void logConfiguration() {}

    @Override
    public Logger log() {
        return LoggerFactory.getLogger("org.apache.pekko.actor.typed.ActorSystem");
    }

    @Override
    public long startTime() {
        throw unsupported("startTime()");
    }

    @Override
    public long uptime() {
        throw unsupported("uptime()");
    }

    @Override
    public ThreadFactory threadFactory() {
        throw unsupported("threadFactory()");
    }

    @Override
    public DynamicAccess dynamicAccess() {
        throw unsupported("dynamicAccess()");
    }

    @Override
    public Scheduler scheduler() {
        return SCHEDULER;
    }

    @Override
    public Dispatchers dispatchers() {
        throw unsupported("dispatchers()");
    }

    @Override
    public ExecutionContextExecutor executionContext() {
        return LATER;
    }

    @Override
    public void terminate() {
        throw unsupported("terminate()");
    }

    @Override
    public Future<Done> whenTerminated() {
        throw unsupported("whenTerminated()");
    }

    @Override
    public CompletionStage<Done> getWhenTerminated() {
        throw unsupported("whenTerminated()");
    }

    @Override
    public <U> ActorRef<U> deadLetters() {
        return DeadLetters.ONLY.unsafeUpcast();
    }

    @Override
    public <U> ActorRef<U> ignoreRef() {
        return DeadLetters.ONLY.unsafeUpcast();
    }

    @Override
    public ActorRef<Receptionist.Command> receptionist() {
        ActorName name = actor().services().receptionist();
        if (name == null) {
            throw unsupported("the receptionist, unless setUp() begins with withReceptionist():");
        }
        return new Ref<>(name);
    }

    @Override
    public ActorRef<EventStream.Command> eventStream() {
        return DROPPING;
    }

    @Override
    public String printTree() {
        throw unsupported("printTree()");
    }

    @Override
    public <U> ActorRef<U> systemActorOf(Behavior<U> behavior, String name, Props props) {
        throw unsupported("systemActorOf()");
    }

    @Override
    public Address address() {
        return Address.apply("pekko", NAME);
    }

    @Override
    public org.apache.pekko.actor.ActorSystem classicSystem() {
        return ClassicSystem.ONLY;
    }

    // Extensions.

    @Override
    public <E extends Extension> E registerExtension(ExtensionId<E> id) {
        throw unsupported("the extension " + id);
    }

    @Override
    public <E extends Extension> E extension(ExtensionId<E> id) {
        throw unsupported("the extension " + id);
    }

    @Override
    public boolean hasExtension(ExtensionId<? extends Extension> id) {
        return false;
    }

    // A reference to the first actor, of which there is none.

    @Override
    public void tell(Nothing$ message) {
        throw unsupported("an actor of the system itself");
    }

    @Override
    @SuppressWarnings("unchecked")
    public <U extends Nothing$> ActorRef<U> narrow() {
        return (ActorRef<U>) this;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <U> ActorRef<U> unsafeUpcast() {
        return (ActorRef<U>) (Object) this;
    }

    @Override
    public ActorPath path() {
        throw unsupported("an actor of the system itself");
    }

    @Override
    public int compareTo(ActorRef<?> other) {
        throw unsupported("an actor of the system itself");
    }
}
