package harrier.pekko;

import harrier.ActorName;
import harrier.Disconnected;
import harrier.Durable;
import harrier.Handler;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorInitializationException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.AutoReceivedMessage;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.Nobody$;
import org.apache.pekko.actor.PoisonPill$;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.MessageAdaptionFailure;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.internal.AdaptWithRegisteredMessageAdapter;
import org.apache.pekko.actor.typed.internal.BehaviorImpl;
import org.apache.pekko.actor.typed.internal.UnstashException;
import org.apache.pekko.actor.typed.internal.adapter.ComposedStoppingBehavior;
import scala.Function1;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.Nothing$;

/**
 * A typed actor of Pekko. Its behavior is interpreted by the library's own code, as the library's {@code ActorAdapter} has it done.
 *
 * <p>An actor that stops stops its children first, and takes no more messages meanwhile. One that fails without a supervisor stops, and
 * its parent is told why; if the scenario spawned it, nobody is there to be told, and the step fails.
 */
final class TypedActor<T> extends LibraryActor {
    private final Current<T> behavior;
    private final Context<T> context;
    private final Children children = new Children(this);
    private final Watches watches = new Watches(this);
    private final Parts<T> parts = new Parts<>(this);
    @Durable private final Storage storage;

    /**
     * An actor that has not started.
     *
     * @param parent null if the scenario spawns it
     * @param inherited what is stored of earlier children of the parent
     */
    TypedActor(Behavior<T> first, ActorName parent, Services services, Map<String, Journal> inherited) {
        super(services);
        behavior = new Current<>(first);
        storage = Storage.of(inherited);
        context = new Context<>(this, parent);
    }

    @Override
    protected void start() {
        super.start();
        during(() -> {
            attempt(this::startBehavior);
            if (!isStopping() && !Behavior.isAlive(behavior.behavior)) {
                end();
            }
            if (isStopping() && children.isEmpty()) {
                eventLoop().execute(() -> during(this::finish)); // start() must not stop the actor
            }
        });
    }

    private void startBehavior() {
        try {
            behavior.behavior = Behavior.validateAsInitial(Behavior.start(behavior.behavior, context));
        } catch (Throwable e) {
            Failing.requireNonFatal(e);
            throw context.parent() == null ? Failing.unchecked(e)
                : new ActorInitializationException(Nobody$.MODULE$, "exception during creation", e);
        }
    }

    // Incoming messages and signals.

    @Handler
    void receive(Object message, ActorName from) {
        if (message instanceof AutoReceivedMessage) {
            receiveItself(message, from == null ? null : new ClassicRef(from));
        } else {
            take(() -> deliver(null, message));
        }
    }

    /** A message of a classic actor, or one that was led along a path. */
    @Handler
    void receive(Mail.Tell m) {
        if (m.message() instanceof AutoReceivedMessage) {
            receiveItself(m.message(), m.sender());
        } else {
            take(() -> deliver(null, m.message()));
        }
    }

    /** Takes what the library has each actor take itself, behaviors of whatever type. */
    private void receiveItself(Object message, ActorRef sender) {
        if (message instanceof PoisonPill$) {
            take(this::end);
        } else if (!(message instanceof Identify identify)) {
            throw LocalSystem.unsupported("a typed actor's answer to " + message);
        } else if (!isStopping() && sender != null) {
            during(() -> sender.tell(new ActorIdentity(identify.messageId(), Option.apply(new ClassicRef(self()))), new ClassicRef(self())));
        }
    }

    @Handler
    void select(Mail.Select m) {
        during(() -> Selections.lead(m, context.parent(), children.names(), this));
    }

    @Handler
    void receive(Mail.To m) {
        if (!questions().receive(m)) {
            take(() -> deliver(m.part(), m.message()));
        }
    }

    @Handler
    void receive(Mail.Result m) {
        take(() -> parts.receive(m));
    }

    @Handler
    void ring(Mail.Alarm timer) {
        if (alarms().isTask(timer.number())) {
            runTask(() -> alarms().ring(timer.number()));
        } else {
            take(() -> alarms().ring(timer.number()));
        }
    }

    @Handler
    void stored(Mail.Stored m) {
        take(() -> parts.stored(storage.done(m.number())));
    }

    @Handler
    void inherit(Mail.Inherited m) {
        storage.inherit(m.journals());
    }

    @Handler
    void stop(Mail.Stop m) {
        take(this::end);
    }

    @Handler
    void childFails(Mail.Failed m, ActorName child) {
        watches.fails(child, m.cause());
    }

    @Handler
    void isGone(Disconnected d) {
        forget(d.actor());
        take(() -> watches.gone(d.actor()));
    }

    /** The library forgets a child at once, and has who watches it told after what it sent before. */
    @Handler
    void isGone(Mail.Gone m) {
        storage.inherit(m.journals());
        forget(m.child());
    }

    private void forget(ActorName child) {
        if (children.remove(child)) {
            during(this::finishIfAlone);
        }
    }

    private void take(Runnable step) {
        if (!isStopping()) {
            during(() -> {
                attempt(step);
                finishIfAlone();
            });
        }
    }

    /** Takes a message for a part, or for the actor itself if that is null. */
    @SuppressWarnings("unchecked")
    void deliver(String part, Object message) {
        if (part != null) {
            parts.receive(part, message);
        } else if (message instanceof Signal signal) {
            signal(signal);
        } else {
            receiveNow((T) message);
        }
    }

    // The behavior.

    /** Has the behavior take a message. */
    void receiveNow(T message) {
        alarms().restartReceiveTimeout();
        Behavior<T> next = Behavior.interpretMessage(behavior.behavior, context, message);
        if (Behavior.isUnhandled(next)) {
            UnhandledMessage.count(message);
        }
        next(next);
    }

    private void signal(Signal signal) {
        next(Behavior.interpretSignal(behavior.behavior, context, signal));
    }

    private void next(Behavior<T> next) {
        if (next instanceof BehaviorImpl.FailedBehavior failed) {
            Throwable cause = failed.cause();
            if (cause instanceof UnstashException<?> e) {
                failUnstashing(e, false);
            } else {
                fail(cause, Storage.isFailure(cause));
            }
        } else if (next instanceof BehaviorImpl.StoppedBehavior<T> stopped) {
            behavior.behavior = new ComposedStoppingBehavior<>(behavior.behavior, stopped);
            end();
        } else if (!Behavior.isUnhandled(next)) {
            behavior.behavior = Behavior.canonicalize(next, behavior.behavior, context);
        }
    }

    /** Has the behavior take what a function makes of something; the function may fail as the behavior may. */
    void adapt(Supplier<?> function) {
        Object message;
        try {
            message = function.get();
        } catch (Throwable e) {
            Failing.requireNonFatal(e);
            signal(new MessageAdaptionFailure(e));
            return;
        }
        if (message instanceof AdaptWithRegisteredMessageAdapter<?> m) {
            adaptRegistered(m.msg());
        } else if (message != null) {
            deliver(null, message);
        }
    }

    private void adaptRegistered(Object message) {
        for (Tuple2<Class<?>, Function1<Object, T>> adapter : CollectionConverters.asJava(context.messageAdapters())) {
            if (adapter._1().isInstance(message)) {
                adapt(() -> adapter._2().apply(message));
                return;
            }
        }
        UnhandledMessage.count(message);
    }

    /** A watched actor has terminated. */
    void terminated(Ref<?> ref, Object message, Throwable cause) {
        if (isStopping()) {
            return;
        }
        org.apache.pekko.actor.typed.ActorRef<Nothing$> gone = ref.unsafeUpcast();
        if (message != null) {
            deliver(null, message);
        } else {
            signal(cause == null ? new Terminated(gone) : new ChildFailed(gone, cause));
        }
    }

    /** Does something, and has the actor fail if that does. */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (UnstashException<?> e) {
            failUnstashing(e, true);
        } catch (Throwable e) {
            Failing.requireNonFatal(e);
            fail(e, true);
        }
    }

    @SuppressWarnings("unchecked")
    private void failUnstashing(UnstashException<?> e, boolean isThrown) {
        behavior.behavior = (Behavior<T>) e.behavior();
        fail(e.cause(), isThrown);
    }

    /**
     * Has the actor fail for good.
     *
     * @param isThrown whether no supervisor has decided so, but for that of the library around a recovery
     */
    private void fail(Throwable cause, boolean isThrown) {
        if (context.parent() != null) {
            tell(context.parent(), new Mail.Failed(cause));
        } else if (isThrown) {
            throw Failing.unchecked(cause);
        }
        end();
    }

    // Stopping.

    private void end() {
        children.stopAll();
    }

    private void finishIfAlone() {
        if (isStopping() && children.isEmpty()) {
            finish();
        }
    }

    private void finish() {
        context.cancelAllTimers();
        if (!Behavior.isDeferred(behavior.behavior)) {
            try {
                Behavior.interpretSignal(behavior.behavior, context, PostStop.instance());
            } catch (Throwable e) {
                Failing.requireNonFatal(e); // the library logs it
            }
        }
        handOver();
        storage.settle();
        if (context.parent() != null) {
            Map<String, Journal> journals = storage.journals();
            if (!journals.isEmpty()) {
                tell(context.parent(), new Mail.Inherited(journals));
            }
            tell(services().system(), new Mail.PassOn(context.parent(), new Mail.Gone(self(), journals)));
        }
        stop();
    }

    // What behaviors reach through their context.

    Behavior<T> behavior() {
        return behavior.behavior;
    }

    boolean isStopping() {
        return children.isStopping();
    }

    Children children() {
        return children;
    }

    Watches watches() {
        return watches;
    }

    Parts<T> parts() {
        return parts;
    }

    Storage storage() {
        return storage;
    }

    @Override
    void deliverToSelf(Object mail) {
        if (mail instanceof Mail.To m) {
            deliver(m.part(), m.message());
        } else {
            deliver(null, mail);
        }
    }

    ActorName createChild(String role, Behavior<?> first) {
        ActorName child = create(role, new TypedActor<>(first, self(), services(), storage.journals()));
        watch(child);
        return child;
    }

    void watchOther(ActorName other) {
        if (!children.has(other)) {
            watch(other);
        }
    }

    void unwatchOther(ActorName other) {
        if (!children.has(other)) {
            unwatch(other);
        }
    }

    /** Runs code of the actor's, which may use its context. */
    @Override
    public void during(Runnable code) {
        super.during(() -> {
            context.setCurrentActorThread();
            try {
                code.run();
            } finally {
                context.clearCurrentActorThread();
            }
        });
    }
}
