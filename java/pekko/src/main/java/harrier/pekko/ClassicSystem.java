package harrier.pekko;

import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ActorSystemImpl;
import org.apache.pekko.actor.DynamicAccess;
import org.apache.pekko.actor.Extension;
import org.apache.pekko.actor.ExtensionId;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.Nobody$;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.ReflectiveDynamicAccess;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.dispatch.Dispatchers;
import org.apache.pekko.dispatch.Mailboxes;
import org.apache.pekko.event.EventStream;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.event.LoggingFilter;
import scala.Function0;
import scala.collection.Iterable;
import scala.concurrent.ExecutionContextExecutor;
import scala.concurrent.Future;

/** The classic ActorSystem, as far as actors reach it. It has no state: its event stream, to which nobody subscribes, drops all. */
final class ClassicSystem extends ActorSystemImpl {
    static final ClassicSystem ONLY = new ClassicSystem();

    private static final LoggingFilter NOTHING = new LoggingFilter() {
        @Override
        public boolean isErrorEnabled(Class<?> type, String source) {
            return false;
        }

        @Override
        public boolean isWarningEnabled(Class<?> type, String source) {
            return false;
        }

        @Override
        public boolean isInfoEnabled(Class<?> type, String source) {
            return false;
        }

        @Override
        public boolean isDebugEnabled(Class<?> type, String source) {
            return false;
        }
    };

    private static final ActorPath USER = NamePath.ROOT.child(NamePath.USER);
    private static final Mailboxes MAILBOXES = new Mailboxes();
    private static final EventStream EVENTS = new EventStream() {
        @Override
        public boolean subscribe(ActorRef subscriber, Class<?> channel) {
            throw LocalSystem.unsupported("a subscription to the event stream");
        }

        @Override
        public void publish(Object event) {
            if (event instanceof org.apache.pekko.actor.UnhandledMessage unhandled) {
                UnhandledMessage.count(unhandled.message());
            }
        }
    };

    /** The settings of the library's own files, which programs without persistence need for classic actors only. */
    private static final class Defaults {
        static final ActorSystem.Settings SETTINGS = new ActorSystem.Settings(ClassicSystem.class.getClassLoader(),
            ConfigFactory.defaultReference(ClassicSystem.class.getClassLoader()), LocalSystem.NAME);
    }

    private ClassicSystem() {}

    private static AssertionError unsupported() {
        return LocalSystem.unsupported("the classic ActorSystem");
    }

    @Override
    public String name() {
        return LocalSystem.NAME;
    }

    @Override
    public EventStream eventStream() {
        return EVENTS;
    }

    @Override
    public ActorSystem classicSystem() {
        return this;
    }

    @Override
    public ActorSystem.Settings settings() {
        return LocalSystem.Configuration.HAS_PERSISTENCE ? Stores.SETTINGS : Defaults.SETTINGS;
    }

    @Override
    public void logConfiguration() {}

    @Override
    public ActorPath $div(String name) {
        return USER.child(name);
    }

    @Override
    public ActorPath $div(Iterable<String> names) {
        throw unsupported();
    }

    @Override
    public LoggingAdapter log() {
        throw unsupported();
    }

    @Override
    public ActorRef deadLetters() {
        return Nobody$.MODULE$;
    }

    @Override
    public Scheduler scheduler() {
        return ClassicScheduler.ONLY;
    }

    @Override
    public Dispatchers dispatchers() {
        throw unsupported();
    }

    @Override
    public ExecutionContextExecutor dispatcher() {
        return LocalDispatcher.ONLY;
    }

    @Override
    public Mailboxes mailboxes() {
        return MAILBOXES;
    }

    @Override
    public <T> void registerOnTermination(Function0<T> code) {
        throw unsupported();
    }

    @Override
    public void registerOnTermination(Runnable code) {
        throw unsupported();
    }

    @Override
    public Future<Terminated> terminate() {
        throw unsupported();
    }

    @Override
    public Future<Terminated> whenTerminated() {
        throw unsupported();
    }

    @Override
    public CompletionStage<Terminated> getWhenTerminated() {
        throw unsupported();
    }

    @Override
    public <T extends Extension> T registerExtension(ExtensionId<T> id) {
        return extension(id);
    }

    @Override
    public <T extends Extension> T extension(ExtensionId<T> id) {
        if (!LocalSystem.Configuration.HAS_PERSISTENCE) {
            throw LocalSystem.unsupported("the extension " + id);
        }
        return Stores.extension(id);
    }

    @Override
    public boolean hasExtension(ExtensionId<? extends Extension> id) {
        throw unsupported();
    }

    @Override
    public ActorSystemImpl systemImpl() {
        return this;
    }

    @Override
    public ActorRefProvider provider() {
        throw unsupported();
    }

    @Override
    public InternalActorRef guardian() {
        throw unsupported();
    }

    @Override
    public InternalActorRef lookupRoot() {
        throw unsupported();
    }

    @Override
    public ActorRef actorOf(Props props) {
        throw unsupported();
    }

    @Override
    public ActorRef actorOf(Props props, String name) {
        throw unsupported();
    }

    @Override
    public ActorSelection actorSelection(String path) {
        return Selections.of(Selections.root(), path);
    }

    @Override
    public ActorSelection actorSelection(ActorPath path) {
        return actorSelection(path.toStringWithoutAddress());
    }

    @Override
    public void stop(ActorRef actor) {
        if (actor instanceof Nobody$) {
            return;
        }
        ClassicRef ref = ClassicRef.of(actor);
        if (ref.path().parent().equals(USER)) { // it asks the parent of the scenario's actors, which may stop them later
            LibraryActor here = LocalSystem.actor();
            here.tell(here.services().system(), new Mail.PassOn(ref.name(), new Mail.Stop()));
        } else {
            ref.stop();
        }
    }

    // What extensions need.

    @Override
    public InternalActorRef systemGuardian() {
        throw unsupported();
    }

    @Override
    public ActorRef systemActorOf(Props props, String name) {
        return new StoreRef(name);
    }

    @Override
    public ThreadFactory threadFactory() {
        throw unsupported();
    }

    @Override
    public DynamicAccess dynamicAccess() {
        return new ReflectiveDynamicAccess(ClassicSystem.class.getClassLoader());
    }

    @Override
    public LoggingFilter logFilter() {
        return NOTHING;
    }

    @Override
    public String printTree() {
        throw unsupported();
    }

    @Override
    public long uid() {
        throw unsupported();
    }

    @Override
    public void finalTerminate() {
        throw unsupported();
    }

    @Override
    public boolean isTerminating() {
        return false;
    }

    /** Loggers keep it. */
    @Override
    public String toString() {
        return name();
    }
}
