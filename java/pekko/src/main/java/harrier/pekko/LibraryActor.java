package harrier.pekko;

import harrier.Actor;
import harrier.ActorName;
import java.time.Duration;

/** An actor of the library's, typed or classic: its timers, tasks and messages. */
abstract class LibraryActor extends Actor implements Outbox {
    private final Services services;
    private final Alarms alarms = new Alarms(this);
    /** The number of tasks given to the execution context that have not run. */
    private int tasks;

    LibraryActor(Services services) {
        this.services = services;
    }

    /** Takes what it scheduled for itself. */
    abstract void deliverToSelf(Object mail);

    final Services services() {
        return services;
    }

    final Alarms alarms() {
        return alarms;
    }

    @Override
    public final LibraryActor actor() {
        return this;
    }

    @Override
    public void tell(ActorName to, Object message) {
        send(to, message);
    }

    final void setAlarm(Mail.Alarm timer, Duration after) {
        setTimer(timer, after);
    }

    final void cancelAlarm(Mail.Alarm timer) {
        cancelTimer(timer);
    }

    final int chooseOf(int n) {
        return choose(n);
    }

    /** Runs something later, as the library's threads do. */
    final void later(Runnable task) {
        tasks++;
        eventLoop().execute(() -> {
            tasks--;
            runTask(task);
        });
    }

    /** Runs something outside of a message. The library reports its exceptions, and the actor goes on. */
    final void runTask(Runnable task) {
        Outbox.super.during(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                Failing.requireNonFatal(e);
            }
        });
    }

    /** The actor stops: what it scheduled for others is still sent, and no task may be left. */
    final void handOver() {
        if (tasks > 0 || alarms.hasTasks()) {
            throw LocalSystem.unsupported("a dispatcher, on which a task goes on when its actor has stopped,");
        }
        alarms.handOver();
    }
}
