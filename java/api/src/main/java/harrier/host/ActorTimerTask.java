package harrier.host;

import java.util.TimerTask;

/** A task of a timer, in place of the JDK's: classes of programs that extend {@link TimerTask} extend it. */
public abstract class ActorTimerTask extends TimerTask implements ThreadState {
    ActorTimer timer;
    /** After how many nanoseconds it runs again; 0 if it runs once. */
    long period;
    /** Whether it was handed to a timer, or cancelled. */
    boolean isUsed;
    boolean isScheduled;
    boolean isCancelled;

    protected ActorTimerTask() {}

    @Override
    public boolean cancel() {
        boolean was = isScheduled;
        isUsed = true;
        isScheduled = false;
        isCancelled = true;
        if (timer != null) {
            Threads.cancelIf(alarm -> alarm instanceof ActorTimer.Due due && due.task() == this);
        }
        return was;
    }

    /** Is refused: at which moment a task was due is not part of any state. */
    @Override
    public long scheduledExecutionTime() {
        throw Hooks.control("a task").refused("asks when a task was due",
            "that is not known, as any moment that its delay allows is explored: keep it in a field of the actor");
    }
}
