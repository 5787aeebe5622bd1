package harrier.pekko;

import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.FSM;
import org.apache.pekko.actor.Nobody$;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.actor.TimerSchedulerImpl;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/** Does things later, as the actor that runs. It has no state. */
final class ClassicScheduler implements Scheduler {
    static final ClassicScheduler ONLY = new ClassicScheduler();

    private ClassicScheduler() {}

    // Messages.

    @Override
    public Cancellable scheduleOnce(FiniteDuration delay, ActorRef target, Object message, ExecutionContext context, ActorRef sender) {
        LibraryActor actor = LocalSystem.actor();
        if (target instanceof Nobody$) {
            return actor.alarms().set(Context.java(delay), shown(message), () -> {});
        }
        Object mail = ClassicRef.of(target).mail(message, sender, actor);
        Cancellable alarm = actor.alarms().send(Context.java(delay), ClassicRef.of(target).name(), mail, shown(message));
        return isDiscardedWhenCancelled(message) ? alarm : new Late(alarm, target, mail);
    }

    @Override
    public Cancellable scheduleOnce(Duration delay, ActorRef target, Object message, ExecutionContext context, ActorRef sender) {
        return scheduleOnce(scala(delay), target, message, context, sender);
    }

    @Override
    public Cancellable scheduleWithFixedDelay(FiniteDuration first, FiniteDuration delay, ActorRef target, Object message,
            ExecutionContext context, ActorRef sender) {
        LibraryActor actor = LocalSystem.actor();
        if (target instanceof Nobody$) {
            return actor.alarms().set(Context.java(first), shown(message), () -> {}); // once is as good as again and again
        }
        Object mail = ClassicRef.of(target).mail(message, sender, actor);
        Cancellable alarms = actor.alarms().sendAgain(Context.java(first), Context.java(delay), ClassicRef.of(target).name(), mail, shown(message));
        return isDiscardedWhenCancelled(message) ? alarms : new Late(alarms, target, mail);
    }

    @Override
    public Cancellable scheduleWithFixedDelay(Duration first, Duration delay, ActorRef target, Object message, ExecutionContext context,
            ActorRef sender) {
        return scheduleWithFixedDelay(scala(first), scala(delay), target, message, context, sender);
    }

    @Override
    public Cancellable scheduleAtFixedRate(FiniteDuration first, FiniteDuration interval, ActorRef target, Object message,
            ExecutionContext context, ActorRef sender) {
        return scheduleWithFixedDelay(first, interval, target, message, context, sender);
    }

    @Override
    public Cancellable scheduleAtFixedRate(Duration first, Duration interval, ActorRef target, Object message, ExecutionContext context,
            ActorRef sender) {
        return scheduleWithFixedDelay(first, interval, target, message, context, sender);
    }

    @Override
    @Deprecated
    public Cancellable schedule(FiniteDuration first, FiniteDuration interval, ActorRef target, Object message, ExecutionContext context,
            ActorRef sender) {
        return scheduleWithFixedDelay(first, interval, target, message, context, sender);
    }

    /** What people see of a timer. */
    private static Object shown(Object message) {
        return message instanceof FSM.Timer timer ? timer.msg() : Machines.isTimeout(message) ? "state timeout"
            : message instanceof TimerSchedulerImpl.TimerMsg timer ? timer.key().toString() : message;
    }

    /** Reports whether the library discards a message of a timer that has been cancelled, even if it is in the mailbox. */
    private static boolean isDiscardedWhenCancelled(Object message) {
        return message instanceof FSM.Timer || message instanceof TimerSchedulerImpl.TimerMsg
            || Machines.isTimeout(message);
    }

    /** A scheduled message, which may be in the mailbox already, or on its way, when it is cancelled. */
    private static final class Late implements Cancellable {
        private final Cancellable alarm;
        private final ActorRef target;
        private final Object mail;

        Late(Cancellable alarm, ActorRef target, Object mail) {
            this.alarm = alarm;
            this.target = target;
            this.mail = mail;
        }

        @Override
        public boolean cancel() {
            LibraryActor actor = LocalSystem.actor();
            if (!alarm.cancel()) {
                return false;
            }
            if (actor.chooseOf(2) == 0) {
                return true;
            }
            actor.tell(actor.services().system(), new Mail.PassOn(ClassicRef.of(target).name(), mail));
            return false;
        }

        @Override
        public boolean isCancelled() {
            return alarm.isCancelled();
        }
    }

    // Tasks.

    @Override
    public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext context) {
        return LocalSystem.actor().alarms().task(Context.java(delay), task);
    }

    @Override
    public Cancellable scheduleOnce(Duration delay, Runnable task, ExecutionContext context) {
        return LocalSystem.actor().alarms().task(delay, task);
    }

    @Override
    public Cancellable scheduleWithFixedDelay(FiniteDuration first, FiniteDuration delay, Runnable task, ExecutionContext context) {
        return LocalSystem.actor().alarms().tasks(Context.java(first), Context.java(delay), task);
    }

    @Override
    public Cancellable scheduleWithFixedDelay(Duration first, Duration delay, Runnable task, ExecutionContext context) {
        return LocalSystem.actor().alarms().tasks(first, delay, task);
    }

    @Override
    public Cancellable scheduleAtFixedRate(FiniteDuration first, FiniteDuration interval, Runnable task, ExecutionContext context) {
        return scheduleWithFixedDelay(first, interval, task, context);
    }

    @Override
    public Cancellable scheduleAtFixedRate(Duration first, Duration interval, Runnable task, ExecutionContext context) {
        return scheduleWithFixedDelay(first, interval, task, context);
    }

    @Override
    @Deprecated
    public Cancellable schedule(FiniteDuration first, FiniteDuration interval, Runnable task, ExecutionContext context) {
        return scheduleWithFixedDelay(first, interval, task, context);
    }

    @Override
    public double maxFrequency() {
        return 1000;
    }

    private static FiniteDuration scala(Duration duration) {
        return FiniteDuration.fromNanos(duration.toNanos());
    }
}
