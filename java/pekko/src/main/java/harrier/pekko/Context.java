package harrier.pekko;

import harrier.ActorName;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorContext;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.MailboxSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.RecipientRef;
import org.apache.pekko.actor.typed.internal.ActorContextImpl;
import org.apache.pekko.actor.typed.internal.ActorContextImpl.LoggingContext;
import org.apache.pekko.actor.typed.internal.PropsImpl;
import org.apache.pekko.actor.typed.internal.TimerSchedulerCrossDslSupport;
import org.apache.pekko.japi.function.Function2;
import org.apache.pekko.util.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Function1;
import scala.Option;
import scala.Tuple2;
import scala.collection.Iterable;
import scala.collection.immutable.List;
import scala.concurrent.ExecutionContextExecutor;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;
import scala.reflect.ClassTag;
import scala.runtime.Nothing$;
import scala.util.Failure;
import scala.util.Success;
import scala.util.Try;

/** What an actor's behavior reaches of the actor. Both languages' contexts are this one object, as in the library. */
final class Context<T> implements ActorContextImpl<T> {
    /** The time-out of a recovery: stores answer in time. */
    private static final Cancellable NEVER = new Cancellable() {
        @Override
        public boolean cancel() {
            return true;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    };

    private final TypedActor<T> actor;
    private final ActorName parent;
    /** Whether the actor processes a message or a signal. */
    private boolean isCurrent;
    private List<Tuple2<Class<?>, Function1<Object, T>>> adapters = List.<Tuple2<Class<?>, Function1<Object, T>>>newBuilder().result();
    private ActorRef<Object> adapterRef;
    private TimerSchedulerCrossDslSupport<T> timer;

    Context(TypedActor<T> actor, ActorName parent) {
        this.actor = actor;
        this.parent = parent;
    }

    /** The actor's parent; null if the scenario spawned it. */
    ActorName parent() {
        return parent;
    }

    @Override
    public ActorRef<T> self() {
        return new Ref<>(actor.self());
    }

    @Override
    public ActorSystem<Nothing$> system() {
        return LocalSystem.ONLY;
    }

    @Override
    public Behavior<T> currentBehavior() {
        return actor.behavior();
    }

    @Override
    public void onUnhandled(T message) {
        UnhandledMessage.count(message);
    }

    // Children.

    @Override
    @SuppressWarnings("unchecked")
    public Iterable<ActorRef<Nothing$>> children() {
        checkCurrentActorThread();
        return (Iterable<ActorRef<Nothing$>>) (Object) CollectionConverters.asScala(actor.children().refs());
    }

    @Override
    @SuppressWarnings("unchecked")
    public Option<ActorRef<Nothing$>> child(String name) {
        checkCurrentActorThread();
        return (Option<ActorRef<Nothing$>>) (Object) Option.apply(actor.children().ref(name));
    }

    @Override
    public <U> ActorRef<U> spawnAnonymous(Behavior<U> behavior, Props props) {
        return spawnChild(null, behavior, props);
    }

    @Override
    public <U> ActorRef<U> spawn(Behavior<U> behavior, String name, Props props) {
        return spawnChild(name, behavior, props);
    }

    private <U> ActorRef<U> spawnChild(String name, Behavior<U> behavior, Props props) {
        checkCurrentActorThread();
        for (Props p = props; p != PropsImpl.EmptyProps$.MODULE$; p = p.next()) {
            if (p instanceof MailboxSelector && !(p instanceof PropsImpl.DefaultMailboxSelector)) {
                throw LocalSystem.unsupported("a mailbox of " + p);
            }
        }
        return actor.children().spawn(name, behavior);
    }

    @Override
    public <U> void stop(ActorRef<U> child) {
        checkCurrentActorThread();
        Ref<?> ref = Ref.of(child);
        if (ref.part() != null && ref.name().equals(actor.self())) {
            actor.parts().remove(ref.part());
        } else {
            actor.children().stop(ref);
        }
    }

    @Override
    public <U> void watch(ActorRef<U> other) {
        checkCurrentActorThread();
        actor.watches().add(Ref.of(other), null);
    }

    @Override
    public <U> void watchWith(ActorRef<U> other, T message) {
        checkCurrentActorThread();
        actor.watches().add(Ref.of(other), message);
    }

    @Override
    public <U> void unwatch(ActorRef<U> other) {
        checkCurrentActorThread();
        actor.watches().remove(Ref.of(other));
    }

    // Time.

    @Override
    public TimerSchedulerCrossDslSupport<T> mkTimer() {
        return new Timers<>(actor);
    }

    @Override
    public <U> Cancellable scheduleOnce(FiniteDuration delay, ActorRef<U> target, U message) {
        return message.getClass().getName().endsWith("InternalProtocol$RecoveryTimeout$") ? NEVER
            : actor.alarms().send(java(delay), Ref.of(target).name(), Ref.of(target).mail(message), message);
    }

    @Override
    public void setReceiveTimeout(FiniteDuration after, T message) {
        checkCurrentActorThread();
        actor.alarms().receiveTimeout(java(after), message, () -> actor.receiveNow(message));
    }

    @Override
    public void cancelReceiveTimeout() {
        checkCurrentActorThread();
        actor.alarms().cancelReceiveTimeout();
    }

    static Duration java(FiniteDuration duration) {
        return Duration.ofNanos(duration.toNanos());
    }

    // What comes back: answers, results of futures, messages for adapters.

    @Override
    public <Q, R> void ask(RecipientRef<Q> target, Function1<ActorRef<R>, Q> request, Function1<Try<R>, T> response, Timeout timeout,
            ClassTag<R> type) {
        Ref<R> answerTo = actor.parts().answer();
        Q message = request.apply(answerTo);
        actor.parts().ask(answerTo, response, java(timeout.duration()));
        target.tell(message);
    }

    @Override
    public <Q, R> void ask(Class<R> type, RecipientRef<Q> target, Duration timeout,
            org.apache.pekko.japi.function.Function<ActorRef<R>, Q> request, Function2<R, Throwable, T> response) {
        Ref<R> answerTo = actor.parts().answer();
        Q message = apply(request, answerTo);
        actor.parts().ask(answerTo, answer(response), timeout);
        target.tell(message);
    }

    private static <A, B> B apply(org.apache.pekko.japi.function.Function<A, B> function, A argument) {
        try {
            return function.apply(argument);
        } catch (Exception e) {
            throw Failing.unchecked(e);
        }
    }

    private static <R, T> Function1<Try<R>, T> answer(Function2<R, Throwable, T> response) {
        return result -> {
            try {
                return result instanceof Success<R> s ? response.apply(s.value(), null) : response.apply(null, ((Failure<R>) result).exception());
            } catch (Exception e) {
                throw Failing.unchecked(e);
            }
        };
    }

    @Override
    public <V> void pipeToSelf(Future<V> future, Function1<Try<V>, T> result) {
        int number = actor.parts().result(result);
        int start = actor.starts();
        future.onComplete(done -> {
            actor.parts().completes(start, number, done);
            return null;
        }, LocalSystem.PARASITIC);
    }

    @Override
    public <V> void pipeToSelf(CompletionStage<V> future, Function2<V, Throwable, T> result) {
        int number = actor.parts().result(Context.<V, T>answer(result));
        int start = actor.starts();
        future.whenComplete((value, failure) -> actor.parts().completes(start, number, failure == null ? new Success<>(value) : new Failure<>(failure)));
    }

    @Override
    public <U> ActorRef<U> internalSpawnMessageAdapter(Function1<U, T> function, String name) {
        return actor.parts().adapter(function, name);
    }

    // Logs and threads. An actor's code runs one step at a time, and nothing of a log is state.

    @Override
    public Logger log() {
        checkCurrentActorThread();
        return LoggerFactory.getLogger("org.apache.pekko.actor.typed");
    }

    @Override
    public void setLoggerName(String name) {
        checkCurrentActorThread();
    }

    @Override
    public void setLoggerName(Class<?> type) {
        checkCurrentActorThread();
    }

    @Override
    public boolean hasCustomLoggerName() {
        return false;
    }

    @Override
    public void clearMdc() {}

    @Override
    public void setCurrentActorThread() {
        isCurrent = true;
    }

    @Override
    public void clearCurrentActorThread() {
        isCurrent = false;
    }

    @Override
    public void checkCurrentActorThread() {
        if (!isCurrent) {
            throw new UnsupportedOperationException("Unsupported access to ActorContext from the outside of " + self()
                + ". No message is currently processed by the actor, but ActorContext was called.");
        }
    }

    @Override
    public ExecutionContextExecutor executionContext() {
        return LocalSystem.ONLY.executionContext();
    }

    @Override
    public ActorContext classicActorContext() {
        throw LocalSystem.unsupported("the classic ActorContext");
    }

    // The fields of the trait ActorContextImpl.

    @Override
    public LoggingContext org$apache$pekko$actor$typed$internal$ActorContextImpl$$_logging() {
        return null;
    }

    @Override
    public void org$apache$pekko$actor$typed$internal$ActorContextImpl$$_logging_$eq(LoggingContext logging) {}

    @Override
    public ActorRef<Object> org$apache$pekko$actor$typed$internal$ActorContextImpl$$messageAdapterRef() {
        return adapterRef;
    }

    @Override
    public void org$apache$pekko$actor$typed$internal$ActorContextImpl$$messageAdapterRef_$eq(ActorRef<Object> ref) {
        adapterRef = ref;
    }

    @Override
    public List<Tuple2<Class<?>, Function1<Object, T>>> org$apache$pekko$actor$typed$internal$ActorContextImpl$$_messageAdapters() {
        return adapters;
    }

    @Override
    public void org$apache$pekko$actor$typed$internal$ActorContextImpl$$_messageAdapters_$eq(List<Tuple2<Class<?>, Function1<Object, T>>> all) {
        adapters = all;
    }

    @Override
    public TimerSchedulerCrossDslSupport<T> org$apache$pekko$actor$typed$internal$ActorContextImpl$$_timer() {
        return timer;
    }

    @Override
    public void org$apache$pekko$actor$typed$internal$ActorContextImpl$$_timer_$eq(TimerSchedulerCrossDslSupport<T> newTimer) {
        timer = newTimer;
    }

    @Override
    public Thread org$apache$pekko$actor$typed$internal$ActorContextImpl$$_currentActorThread() {
        return null;
    }

    @Override
    public void org$apache$pekko$actor$typed$internal$ActorContextImpl$$_currentActorThread_$eq(Thread thread) {}
}
