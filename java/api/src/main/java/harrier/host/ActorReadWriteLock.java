package harrier.host;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A lock for readers and writers among the threads of an actor, in place of the JDK's. Each thread notes whether it has the lock
 * ({@link ActorThread#held}).
 */
@SuppressWarnings("serial") // nobody does
public class ActorReadWriteLock extends ReentrantReadWriteLock implements ThreadState {
    private final boolean fair;
    private final Reader reader = new Reader(this);
    private final Writer writer = new Writer(this);

    public ActorReadWriteLock() {
        this(false);
    }

    public ActorReadWriteLock(boolean fair) {
        super(fair);
        this.fair = fair;
    }

    /** The lock of readers. */
    @SuppressWarnings("serial") // nobody does
    static final class Reader extends ReentrantReadWriteLock.ReadLock implements ThreadState {
        private final ActorReadWriteLock of;

        Reader(ActorReadWriteLock of) {
            super(of);
            this.of = of;
        }

        Lock writer() {
            return of.writer;
        }

        @Override
        public void lock() {
            // By code that changes nothing, such as a property.
        }

        @Override
        public void lockInterruptibly() {
            lock();
        }

        @Override
        public boolean tryLock() {
            return true;
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) {
            return true;
        }

        @Override
        public void unlock() {
            lock();
        }

        @Override
        public String toString() {
            return "ReadLock";
        }
    }

    /** The lock of writers. */
    @SuppressWarnings("serial") // nobody does
    static final class Writer extends ReentrantReadWriteLock.WriteLock implements ThreadState {
        private final ActorReadWriteLock of;

        Writer(ActorReadWriteLock of) {
            super(of);
            this.of = of;
        }

        Lock reader() {
            return of.reader;
        }

        @Override
        public void lock() {
            // By code that changes nothing, such as a property.
        }

        @Override
        public void lockInterruptibly() {
            lock();
        }

        @Override
        public boolean tryLock() {
            return true;
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) {
            return true;
        }

        @Override
        public void unlock() {
            lock();
        }

        @Override
        public Condition newCondition() {
            return new LockCondition(this);
        }

        @Override
        public boolean isHeldByCurrentThread() {
            return getHoldCount() > 0;
        }

        @Override
        public int getHoldCount() {
            return times(this);
        }

        @Override
        public String toString() {
            return "WriteLock";
        }
    }

    /**
     * The waits of writers for which a reader that comes now has to wait; null if there are none. A reader of a lock that is not fair
     * may also pass the writers: that is a choice.
     */
    static List<Wait> ahead(Lock lock, String place) {
        Threads here = Threads.here();
        if (here == null || !(lock instanceof Reader reader) || times(reader) > 0 || times(reader.writer()) > 0) {
            return null;
        }
        List<Wait> writers = new ArrayList<>();
        for (ActorThread t : here.agenda().all()) {
            if (t.wait != null && t.wait.on == reader.writer() && t.wait.kind == Wait.Kind.LOCK) {
                writers.add(t.wait);
            }
        }
        boolean waits = !writers.isEmpty() && (reader.of.fair || Hooks.control(place).choose(2) == 1);
        return waits ? writers : null;
    }

    private static int times(Lock lock) {
        Threads here = Threads.here();
        ActorThread.Held held = here == null ? null : here.current().held(lock);
        return held == null ? 0 : held.count;
    }

    @Override
    public ReadLock readLock() {
        return reader;
    }

    @Override
    public WriteLock writeLock() {
        return writer;
    }

    @Override
    public int getReadLockCount() {
        int count = 0;
        if (Threads.here() != null) {
            for (ActorThread t : Threads.here().agenda().all()) {
                count += t.held(reader) == null ? 0 : t.held(reader).count;
            }
        }
        return count;
    }

    @Override
    public boolean isWriteLocked() {
        return Threads.here() != null && Threads.here().agenda().having(writer, null) != null;
    }

    @Override
    public boolean isWriteLockedByCurrentThread() {
        return times(writer) > 0;
    }

    @Override
    public int getWriteHoldCount() {
        return times(writer);
    }

    @Override
    public int getReadHoldCount() {
        return times(reader);
    }

    @Override
    public String toString() {
        return "ReentrantReadWriteLock";
    }
}
