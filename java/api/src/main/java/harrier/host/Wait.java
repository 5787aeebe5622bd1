package harrier.host;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** What a thread waits for: its wake condition, over objects that are ordinary state. */
public final class Wait implements ThreadState {
    /** That a call is not limited in time. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** The conditions. The text says for people what is waited for. */
    public enum Kind {
        /** For its turn, to begin with. */
        START("its first turn"),
        /** For its turn, after it let others go on. */
        YIELD("its turn"),
        /** For its turn, as others may run before what it is about to do. */
        TURN("its turn"),
        /** For time to pass. */
        SLEEP("time to pass"),
        /** For an element in a queue. */
        TAKE("an element"),
        /** For room in a queue. */
        PUT("room"),
        /** For a monitor that another thread has. */
        MONITOR("the monitor"),
        /** For a lock that another thread has. */
        LOCK("the lock"),
        /** To be notified, and then for the monitor. */
        NOTIFY("a notification"),
        /** To be signalled, and then for the lock. */
        CONDITION("a signal"),
        /** For a latch to be zero. */
        LATCH("a latch"),
        /** For permits of a semaphore. */
        PERMITS("a permit"),
        /** For the result of a task. */
        RESULT("a result"),
        /** For the results of all of some tasks. */
        RESULTS("results"),
        /** Of a worker of a pool: for a task. */
        TASK("a task"),
        /** For an executor to be through. */
        TERMINATION("an executor to terminate"),
        /** For another thread to end. */
        END("the end of a thread"),
        /** For a permit to go on. */
        PARK("unpark");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    final Kind kind;
    /** The object that the condition is about. */
    final Object on;
    /** How many permits are needed, how often the monitor was entered, or which element is to be put; null if none of these. */
    final Object with;
    /** Whether an interrupt ends it. */
    final boolean isInterruptible;
    /** Where the call is. */
    final String place;
    /** Whether somebody notified the thread. */
    boolean isNotified;
    boolean isTimedOut;
    /** Whether an interrupt came before anything else let the thread go on. */
    boolean isInterrupted;

    Wait(Kind kind, Object on, Object with, boolean isInterruptible, String place) {
        this.kind = kind;
        this.on = on;
        this.with = with;
        this.isInterruptible = isInterruptible;
        this.place = place;
    }

    /** Reports whether the thread can go on. */
    boolean isReady(ActorThread thread, Agenda agenda) {
        boolean isOver = isTimedOut || isInterrupted;
        return switch (kind) {
            case NOTIFY, CONDITION -> (isNotified || isOver) && agenda.holder(lock(), thread) == null;
            case MONITOR, LOCK -> isOver || agenda.holder(on, thread) == null;
            default -> isOver || holds(thread);
        };
    }

    /** Reports whether what the thread waits for is there. */
    private boolean holds(ActorThread thread) {
        return switch (kind) {
            case START, YIELD, TURN -> true;
            case TAKE -> ((BlockingQueue<?>) on).peek() != null;
            case PUT -> ((BlockingQueue<?>) on).remainingCapacity() > 0;
            case LATCH -> ((CountDownLatch) on).getCount() == 0;
            case PERMITS -> ((Semaphore) on).availablePermits() >= count();
            case RESULT -> ((Future<?>) on).isDone();
            case RESULTS -> ((List<?>) on).stream().allMatch(f -> ((Future<?>) f).isDone());
            case TASK -> ((Worker) on).isReady();
            case TERMINATION -> ((ExecutorService) on).isTerminated();
            case END -> !((ActorThread) on).isRunning();
            case PARK -> thread != null && thread.mayPass;
            default -> false;
        };
    }

    /** How many permits are needed, or how often the monitor was entered. */
    int count() {
        return (Integer) with;
    }

    /** The monitor or lock that the thread must have to go on. */
    Object lock() {
        return on instanceof LockCondition condition ? condition.lock : on;
    }

    /** What is waited for, and where, for people. */
    @Override
    public String toString() {
        return "waits" + (place.isEmpty() ? "" : " at " + place) + " for " + kind.text;
    }
}
