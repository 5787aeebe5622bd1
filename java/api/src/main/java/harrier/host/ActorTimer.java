package harrier.host;

import java.util.Date;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A timer of an actor, in place of the JDK's, whose constructor would start a thread, so that none runs: one thread of the actor runs its
 * tasks. Its own fields are a part of the state, those of the JDK's class are not.
 */
public class ActorTimer extends Timer implements ThreadState {
    private Pool pool;
    private boolean isCancelled;

    /** Is refused: classes of programs that extend {@link Timer} call it. */
    public ActorTimer() {
        super(refused());
    }

    private static String refused() {
        throw Hooks.control("").refused("makes a class that extends Timer", "keep a Timer in a field");
    }

    public ActorTimer(boolean isDaemon) {
        this();
    }

    public ActorTimer(String name) {
        this();
    }

    public ActorTimer(String name, boolean isDaemon) {
        this();
    }

    /** Stands in for {@link Timer#Timer()}. The first argument is null: it is on the stack where the new object would be. */
    public static Timer made(Object none) {
        return made(none, null);
    }

    /** Stands in for {@link Timer#Timer(boolean)}. */
    public static Timer made(Object none, boolean isDaemon) {
        return made(none, null);
    }

    /** Stands in for {@link Timer#Timer(String, boolean)}. */
    public static Timer made(Object none, String name, boolean isDaemon) {
        return made(none, name);
    }

    /** Stands in for {@link Timer#Timer(String)}. */
    public static Timer made(Object none, String name) {
        ActorTimer timer = Hooks.control("").allocate(ActorTimer.class);
        timer.pool = new Pool(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), name == null ? null : new Named(name), null);
        return timer;
    }

    private record Named(String name) implements java.util.concurrent.ThreadFactory, ThreadState {
        @Override
        public Thread newThread(Runnable body) {
            return new ActorThread(body, name);
        }
    }

    /** The alarm by which a task becomes due: it hands the task to the thread of the timer. */
    record Due(ActorTimer timer, ActorTimerTask task) implements Agenda.Alarm, ThreadState {
        @Override
        public void run() {
            timer.pool.execute(new Run(timer, task));
        }

        @Override
        public String label(Function<Object, String> name) {
            return "task " + name.apply(task) + " is due";
        }
    }

    /** What the thread does with a task that is due. */
    record Run(ActorTimer timer, ActorTimerTask task) implements Runnable, ThreadState {
        @Override
        public void run() {
            if (Frames.place() == 0) {
                if (task.isCancelled || timer.isCancelled) {
                    return;
                }
                task.isScheduled = task.period > 0;
                if (task.isScheduled) {
                    Threads.delay(new Due(timer, task), task.period);
                }
            }
            boolean isDone = false;
            try {
                task.run();
                isDone = true;
            } finally {
                if (!isDone) {
                    timer.cancel(); // its thread ends
                }
            }
            if (Frames.isLeft()) {
                Frames.saved(this, "java.util.TimerThread.mainLoop()V", 0, 1);
            }
        }
    }

    private void add(TimerTask task, long millis, long period) {
        ActorTimerTask own = (ActorTimerTask) task;
        if (isCancelled) {
            throw new IllegalStateException("Timer already cancelled.");
        } else if (own.isUsed) {
            throw new IllegalStateException("Task already scheduled or cancelled");
        }
        own.isUsed = true;
        own.isScheduled = true;
        own.period = TimeUnit.MILLISECONDS.toNanos(period);
        own.timer = this;
        Threads.delay(new Due(this, own), TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static long positive(long period) {
        if (period <= 0) {
            throw new IllegalArgumentException("Non-positive period.");
        }
        return period;
    }

    private static long delay(long millis) {
        if (millis < 0) {
            throw new IllegalArgumentException("Negative delay.");
        }
        return millis;
    }

    private static long until(Date time) {
        return Math.max(0, time.getTime() - TimeHooks.currentTimeMillis(""));
    }

    @Override
    public void schedule(TimerTask task, long delay) {
        add(task, delay(delay), 0);
    }

    @Override
    public void schedule(TimerTask task, Date time) {
        add(task, until(time), 0);
    }

    @Override
    public void schedule(TimerTask task, long delay, long period) {
        add(task, delay(delay), positive(period));
    }

    @Override
    public void schedule(TimerTask task, Date first, long period) {
        add(task, until(first), positive(period));
    }

    @Override
    public void scheduleAtFixedRate(TimerTask task, long delay, long period) {
        schedule(task, delay, period);
    }

    @Override
    public void scheduleAtFixedRate(TimerTask task, Date first, long period) {
        schedule(task, first, period);
    }

    @Override
    public void cancel() {
        isCancelled = true;
        Threads.cancelIf(alarm -> alarm instanceof Due due && due.timer == this);
        pool.getQueue().clear();
        pool.shutdown();
    }

    @Override
    public int purge() {
        return 0; // tasks that are cancelled are removed
    }
}
