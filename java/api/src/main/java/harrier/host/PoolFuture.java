package harrier.host;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A task with its result, in place of the JDK's {@link FutureTask}: classes of programs that extend that extend it. It
 * may wait in the middle.
 *
 * @param <V> what it gives
 */
public class PoolFuture<V> extends FutureTask<V> implements RunnableScheduledFuture<V>, ThreadState {
    private static final Callable<?> NOTHING = new Nothing();

    private Callable<V> call;
    private Runnable run;
    private V value;
    /** The thread that is in the middle of it. */
    private ActorThread runner;
    /** Where it runs after a while; null if it runs at once. */
    Pool pool;
    /** After how many nanoseconds it runs again; 0 if it does not. */
    long period;

    @SuppressWarnings("unchecked")
    public PoolFuture(Callable<V> call) {
        super((Callable<V>) NOTHING);
        this.call = Objects.requireNonNull(call);
    }

    @SuppressWarnings("unchecked")
    public PoolFuture(Runnable run, V value) {
        super((Callable<V>) NOTHING);
        this.run = Objects.requireNonNull(run);
        this.value = value;
    }

    /** What the JDK's class believes that it does. */
    private static final class Nothing implements Callable<Object> {
        @Override
        public Object call() {
            return null;
        }
    }

    /** What it does. */
    Object body() {
        return call == null ? run : call;
    }

    @Override
    public void run() {
        boolean isBack = Frames.place() > 0;
        if (!isBack && isDone()) {
            return;
        }
        runner = Threads.here() == null ? null : Threads.here().current();
        V given = value;
        try {
            if (call != null) {
                given = call.call();
            } else {
                run.run();
            }
        } catch (StepStopped e) {
            throw e;
        } catch (Throwable e) {
            runner = null;
            setException(e);
            return;
        }
        if (Frames.isLeft()) {
            Frames.saved(this, "java.util.concurrent.FutureTask.run()V", 0, 1);
            return;
        }
        runner = null;
        if (period == 0) {
            set(given);
        } else if (!isDone()) {
            pool.again(this);
        }
    }

    /** What it refers to is not needed any more. */
    @Override
    protected void done() {
        call = null;
        run = null;
        value = null;
    }

    @Override
    public boolean cancel(boolean interrupts) {
        boolean cancelled = super.cancel(false);
        if (cancelled && interrupts && runner != null) {
            runner.interrupt();
        }
        if (cancelled && pool != null) {
            pool.cancel(this);
        }
        return cancelled;
    }

    @Override
    public boolean isPeriodic() {
        return period > 0;
    }

    /** Is refused unless the task is done: how long it still takes is not part of any state. */
    @Override
    public long getDelay(TimeUnit unit) {
        if (isDone() || pool == null) {
            return 0;
        }
        throw Hooks.control("a task").refused("asks how long a task still has to wait",
            "that is not known, as any moment that its delay allows is explored: keep when it is due in a field of the actor");
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
