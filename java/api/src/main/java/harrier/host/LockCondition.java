package harrier.host;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A condition of a lock, in place of the JDK's. {@link BlockingHooks} and {@link ThreadStandIns} do what its methods are to do. */
final class LockCondition implements Condition, ThreadState {
    final Lock lock;
    /** The waits of threads that are to be signalled, the longest-waiting first. */
    final List<Wait> waiting = new ArrayList<>();

    LockCondition(Lock lock) {
        this.lock = lock;
    }

    @Override
    public void await() {
        throw new IllegalStateException();
    }

    @Override
    public void awaitUninterruptibly() {
        throw new IllegalStateException();
    }

    @Override
    public long awaitNanos(long nanos) {
        throw new IllegalStateException();
    }

    @Override
    public boolean await(long time, TimeUnit unit) {
        throw new IllegalStateException();
    }

    @Override
    public boolean awaitUntil(Date deadline) {
        throw new IllegalStateException();
    }

    @Override
    public void signal() {
        throw new IllegalStateException();
    }

    @Override
    public void signalAll() {
        throw new IllegalStateException();
    }
}
