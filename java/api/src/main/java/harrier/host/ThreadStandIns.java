package harrier.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Stand in for the JDK's methods that see or change threads and locks and do not wait. */
public final class ThreadStandIns {
    private ThreadStandIns() {}

    /** Notes that threads are interleaved at locks, too, before one waits with a monitor. */
    public static void preempts() {
        Threads here = Threads.here();
        if (here != null) {
            here.preempts();
        }
    }

    /** Leaves a monitor. */
    public static void exit(Object monitor) {
        Threads here = Threads.here();
        if (here == null || !here.isLeaving()) {
            Threads.release(Threads.runs(), monitor, true);
        }
    }

    /** Stands in for {@link Object#notify}; which of several threads is woken is a choice. */
    public static void notify(Object monitor, String place) {
        List<Wait> waiting = waiting(monitor);
        if (!waiting.isEmpty()) {
            int one = waiting.size() == 1 ? 0 : Hooks.control(place).choose(waiting.size());
            waiting.get(one).isNotified = true;
        }
    }

    /** Stands in for {@link Object#notifyAll}. */
    public static void notifyAll(Object monitor, String place) {
        waiting(monitor).forEach(w -> w.isNotified = true);
    }

    /** Stands in for {@link Condition#signal}: the longest-waiting thread is woken. */
    public static void signal(Condition condition, String place) {
        LockCondition own = owned(condition);
        if (!own.waiting.isEmpty()) {
            own.waiting.remove(0).isNotified = true;
        }
    }

    /** Stands in for {@link Condition#signalAll}. */
    public static void signalAll(Condition condition, String place) {
        LockCondition own = owned(condition);
        own.waiting.forEach(w -> w.isNotified = true);
        own.waiting.clear();
    }

    private static LockCondition owned(Condition condition) {
        LockCondition own = (LockCondition) condition;
        requireOwner(own.lock);
        own.waiting.removeIf(w -> w.isTimedOut || w.isInterrupted);
        return own;
    }

    private static void requireOwner(Object lock) {
        if (Threads.runs().held(lock) == null) {
            throw new IllegalMonitorStateException("current thread is not owner");
        }
    }

    /** The waits of threads that are to be notified. */
    private static List<Wait> waiting(Object monitor) {
        requireOwner(monitor);
        List<Wait> found = new ArrayList<>();
        for (ActorThread t : Threads.here() == null ? List.<ActorThread>of() : Threads.here().agenda().all()) {
            Wait w = t.wait;
            if (w != null && w.on == monitor && w.kind == Wait.Kind.NOTIFY && !w.isNotified && !w.isTimedOut && !w.isInterrupted) {
                found.add(w);
            }
        }
        return found;
    }

    /** Reports whether threads note that they have a lock ({@link ActorThread#held}). */
    static boolean isKept(Lock lock) {
        return lock instanceof ReentrantLock || lock instanceof ActorReadWriteLock.Reader || lock instanceof ActorReadWriteLock.Writer;
    }

    /** Stands in for {@link Lock#unlock}. */
    public static void unlock(Lock lock, String place) {
        Threads here = Threads.here();
        if (!isKept(lock)) {
            lock.unlock();
        } else if (here == null || !here.isLeaving()) {
            Threads.release(Threads.runs(), lock, true);
        }
    }

    /** Stands in for {@link Lock#tryLock()}. */
    public static boolean tryLock(Lock lock, String place) {
        if (!isKept(lock)) {
            return lock.tryLock();
        }
        Threads here = Threads.here();
        if (here != null && here.agenda().holder(lock, here.current()) != null) {
            return false;
        }
        Threads.acquire(Threads.runs(), lock, 1);
        return true;
    }

    /** Stands in for {@link Lock#newCondition}. */
    public static Condition newCondition(Lock lock, String place) {
        return lock instanceof ReentrantLock reentrant ? new LockCondition(reentrant) : lock.newCondition();
    }

    /** Stands in for {@link ReentrantLock#isLocked}. */
    public static boolean isLocked(ReentrantLock lock, String place) {
        Threads here = Threads.here();
        return here == null ? getHoldCount(lock, place) > 0 : here.agenda().holder(lock, null) != null;
    }

    /** Stands in for {@link ReentrantLock#isHeldByCurrentThread}. */
    public static boolean isHeldByCurrentThread(ReentrantLock lock, String place) {
        return getHoldCount(lock, place) > 0;
    }

    /** Stands in for {@link ReentrantLock#getHoldCount}. */
    public static int getHoldCount(ReentrantLock lock, String place) {
        ActorThread.Held held = Threads.runs().held(lock);
        return held == null ? 0 : held.count;
    }

    /** Stands in for {@link Thread#holdsLock}. */
    public static boolean holdsLock(Object monitor, String place) {
        return Threads.runs().held(monitor) != null;
    }

    /** Stands in for {@link Thread#start}. */
    public static void start(Thread thread, String place) {
        own(thread, place).start();
    }

    /** Stands in for {@link Thread#interrupt}. */
    public static void interrupt(Thread thread, String place) {
        own(thread, place).interrupt();
    }

    /** Stands in for {@link Thread#currentThread}. */
    public static Thread currentThread(String place) {
        ActorThread runs = Threads.runs();
        if (runs instanceof Mailbox mailbox) {
            mailbox.isKnown = true;
        }
        return runs;
    }

    /** The group of all threads of actors. */
    public static final class Group extends ThreadGroup {
        /** The only one. */
        public static final Group ONLY = new Group();

        private Group() {
            super("main");
        }
    }

    /** Stands in for {@link ThreadGroup#getName}. */
    public static String getName(ThreadGroup group, String place) {
        return group instanceof ActorThreadGroup own ? own.title : group.getName();
    }

    /** Stands in for {@link Thread#getThreadGroup}. */
    public static ThreadGroup getThreadGroup(Thread thread, String place) {
        return Group.ONLY;
    }

    /** Stands in for {@link Thread#interrupted}. */
    public static boolean interrupted(String place) {
        Threads here = Threads.here();
        if (here == null) {
            return Thread.interrupted();
        }
        boolean was = here.current().isFlagged;
        here.current().isFlagged = false;
        return was;
    }

    /** Stands in for {@link Thread#isAlive}. */
    public static boolean isAlive(Thread thread, String place) {
        return thread instanceof ActorThread own ? own.isRunning() : thread.isAlive();
    }

    /** Stands in for {@link Thread#isDaemon}. */
    public static boolean isDaemon(Thread thread, String place) {
        return thread instanceof ActorThread own && own.isOfDaemon;
    }

    /** Stands in for {@link Thread#setDaemon}. */
    public static void setDaemon(Thread thread, boolean daemon, String place) {
        if (own(thread, place).isRunning()) {
            throw new IllegalThreadStateException();
        }
        own(thread, place).isOfDaemon = daemon;
    }

    /** Stands in for {@link Thread#getPriority}: which thread goes on is explored whatever priorities are. */
    public static int getPriority(Thread thread, String place) {
        return Thread.NORM_PRIORITY;
    }

    /** Stands in for {@link Thread#setPriority}. */
    public static void setPriority(Thread thread, int priority, String place) {
        // It decides nothing: all orders are explored.
    }

    /** Stands in for {@link Thread#getName}. */
    public static String getName(Thread thread, String place) {
        if (!(thread instanceof ActorThread own)) {
            return ThreadHooks.name(thread, place);
        }
        if (own.title == null) {
            throw Hooks.control(place).refused("asks for the name of a thread that was given none", "the JDK counts such threads: give it a name");
        }
        return own.title;
    }

    /** Stands in for {@link Thread#setName}. */
    public static void setName(Thread thread, String name, String place) {
        own(thread, place).title = name;
    }

    /** Stands in for {@link Thread#toString}. */
    public static String toString(Thread thread, String place) {
        return "Thread[" + getName(thread, place) + "]";
    }

    /** Stands in for {@code Thread.isVirtual}. */
    public static boolean isVirtual(Thread thread, String place) {
        return thread instanceof ActorThread own && own.isOfVirtual;
    }

    private static ActorThread own(Thread thread, String place) {
        if (thread instanceof ActorThread own && !Threads.isOutside(own)) {
            return own;
        }
        throw Hooks.control(place).refused("changes a thread that is no actor's", "leave it as it is");
    }

    /** Stands in for {@link LinkedTransferQueue#tryTransfer(Object)}. */
    public static boolean tryTransfer(TransferQueue<?> queue, Object element, String place) {
        return Handoff.give(queue, Objects.requireNonNull(element), true);
    }

    /** Stands in for {@link TransferQueue#hasWaitingConsumer}. */
    public static boolean hasWaitingConsumer(TransferQueue<?> queue, String place) {
        return getWaitingConsumerCount(queue, place) > 0;
    }

    /** Stands in for {@link TransferQueue#getWaitingConsumerCount}. */
    public static int getWaitingConsumerCount(TransferQueue<?> queue, String place) {
        return Handoff.takers(queue).size();
    }

    /** Stands in for {@link LockSupport#unpark}. */
    public static void unpark(Thread thread, String place) {
        if (thread != null) {
            own(thread, place).mayPass = true;
        }
    }
}
