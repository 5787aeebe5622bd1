package harrier.pekko;

import harrier.Actor;
import harrier.ActorName;
import harrier.Durable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An actor of the library's, typed or classic: its timers, tasks and messages. */
abstract class LibraryActor extends Actor implements Outbox {
    private final Services services;
    private final Alarms alarms = new Alarms(this);
    private final Questions questions = new Questions(this);
    /** Tasks given to the execution context that have not run. */
    private final Tasks tasks = new Tasks();
    @Durable private final Starts starts = new Starts();

    private static final class Tasks {
        final List<Runnable> waiting = new ArrayList<>();
    }

    private static final class Starts {
        int count;
    }

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

    final Questions questions() {
        return questions;
    }

    /** The number of times that the actor started: more than one if it crashed. */
    final int starts() {
        return starts.count;
    }

    @Override
    protected void start() {
        starts.count++;
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

    /** Runs something later, as the library's threads do: tasks come in any order. */
    final void later(Runnable task) {
        tasks.waiting.add(task);
        eventLoop().execute(this::runAny);
    }

    private void runAny() {
        int n = tasks.waiting.size();
        runTask(tasks.waiting.remove(n == 1 ? 0 : choose(n)));
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
        if (!tasks.waiting.isEmpty() || alarms.hasTasks()) {
            throw LocalSystem.unsupported("a dispatcher, on which a task goes on when its actor has stopped,");
        }
        alarms.handOver();
    }
}
