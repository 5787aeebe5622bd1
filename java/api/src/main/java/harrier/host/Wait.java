package harrier.host;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.StampedLock;

/** What a thread waits for: its wake condition, over objects that are ordinary state. */
public final class Wait implements ThreadState {
    /** That a call is not limited in time. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** The conditions. The text says for people what is waited for. */
    public enum Kind {
        /** For its turn, to begin with. */
        START("its first turn"),
        /** Of a shutdown hook: for the other threads of its process to end. */
        EXIT("the end of the process"),
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
        /** For all parties to be at a barrier. */
        BARRIER("the others at a barrier"),
        /** For the next phase of a phaser. */
        PHASE("the others of a phaser"),
        /** For another thread to exchange something with. */
        EXCHANGE("another thread to exchange with"),
        /** For a stamped lock that others have. */
        STAMP("a stamped lock"),
        /** Of a task of a pool: for a worker. */
        WORKER("a worker"),
        /** For permits of a semaphore. */
        PERMITS("a permit"),
        /** For the result of a task. */
        RESULT("a result"),
        /** For the result of one of some tasks. */
        ANY("one of several results"),
        /** For the results of all of some tasks. */
        RESULTS("results"),
        /** Of a worker of a pool: for a task. */
        TASK("a task"),
        /** For an executor to be through. */
        TERMINATION("an executor to terminate"),
        /** For another thread to end. */
        END("the end of a thread"),
        /** For a permit to go on. */
        PARK("unpark"),
        /** Of a thread that opens a connection: for the answer. */
        OPEN("a connection"),
        /** Of a server socket: for a connection. */
        ACCEPT("a connection"),
        /** For bytes from the other end of a connection. */
        BYTES("bytes"),
        /** For a datagram. */
        DATAGRAM("a datagram");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Reports whether it is for something that comes from another actor. */
        boolean isOfSockets() {
            return this == OPEN || this == ACCEPT || this == BYTES || this == DATAGRAM;
        }
    }

    final Kind kind;
    /** The object that the condition is about. */
    final Object on;
    /**
     * How many permits are needed, how often the monitor was entered, which element is to be put, which phase has to end, the list of
     * waits that come first, what is read, or 1 if a stamped lock is for writing and 0 if not; null if none of these.
     */
    final Object with;
    /** Whether an interrupt ends it. */
    final boolean isInterruptible;
    /** Where the call is. */
    final String place;
    /** Whether somebody notified the thread, or handed it an element. */
    boolean isNotified;
    /** What it was handed, or how long it may wait if the call tells how long it might have waited still. */
    Object given;
    /** Whether the wait is limited in time. */
    boolean isTimed;
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
            case MONITOR, LOCK -> isOver || isFree(thread, agenda);
            default -> isOver || holds(thread);
        };
    }

    /** Reports whether the thread can have the monitor or lock: no other thread has it or comes first. */
    boolean isFree(ActorThread thread, Agenda agenda) {
        return agenda.holder(on, thread) == null && agenda.all().stream().noneMatch(this::isBehind);
    }

    /** Reports whether what the thread waits for is there. */
    private boolean holds(ActorThread thread) {
        return switch (kind) {
            case START, YIELD, TURN -> true;
            case TAKE -> isNotified || (on instanceof Handoff<?> h ? h.isOffered() : ((BlockingQueue<?>) on).peek() != null);
            case PUT -> on instanceof Handoff.Offer offer ? offer.isTaken : ((BlockingQueue<?>) on).remainingCapacity() > 0;
            case BARRIER -> ((ActorBarrier.Round) on).isOver || ((ActorBarrier.Round) on).isBroken;
            case PHASE -> ((Phaser) on).getPhase() != count();
            case EXCHANGE -> ((ActorExchanger.Offer) on).isTaken;
            case STAMP -> !((StampedLock) on).isWriteLocked() && !(count() > 0 && ((StampedLock) on).isReadLocked());
            case WORKER -> ((ForkPool) on).hasWorker();
            case LATCH -> ((CountDownLatch) on).getCount() == 0;
            case PERMITS -> ((Semaphore) on).availablePermits() >= count();
            case RESULT -> isDone(on);
            case RESULTS -> ((List<?>) on).stream().allMatch(Wait::isDone);
            case ANY -> ((List<?>) on).stream().allMatch(Wait::isDone) || ((List<?>) on).stream().anyMatch(Wait::isDoneWell);
            case TASK -> ((Worker) on).isReady();
            case TERMINATION -> ((ExecutorService) on).isTerminated();
            case END -> !((ActorThread) on).isRunning();
            case PARK -> thread != null && thread.mayPass;
            case OPEN -> ((Connection) on).isSettled();
            case ACCEPT -> ((ActorServerSocket) on).mayAccept();
            case DATAGRAM -> ((ActorDatagramSocket) on).mayReceive();
            case BYTES -> ((Connection) on).isReadable();
            default -> false;
        };
    }

    static boolean isDone(Object future) {
        return future instanceof Forked forked ? forked.result().isDone : ((Future<?>) future).isDone();
    }

    /** Reports whether a task is done and has given something. */
    static boolean isDoneWell(Object future) {
        if (future instanceof Forked forked) {
            return forked.result().isDone && forked.result().thrown == null;
        }
        try {
            if (((Future<?>) future).isDone()) {
                ((Future<?>) future).get();
                return true;
            }
            return false;
        } catch (InterruptedException | ExecutionException | CancellationException e) {
            return false;
        }
    }

    /** Reports whether another thread that waits for the lock comes first. */
    boolean isBehind(ActorThread other) {
        return with instanceof List<?> ahead && other.wait != null && ahead.contains(other.wait);
    }

    /** Reports whether the call tells whether the time has passed, even if what was waited for has come about as well. */
    public boolean tellsTimeOut() {
        return kind == Kind.CONDITION;
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
