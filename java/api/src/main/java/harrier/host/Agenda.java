package harrier.host;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What an actor is to do by itself, and the time on its clock: the part of its local state that no field
 * holds. All but the numbers of draws and firings is lost in a crash.
 */
public final class Agenda {
    private static final ThreadLocal<boolean[]> READ = ThreadLocal.withInitial(() -> new boolean[1]);

    /** Timers and scheduled tasks that are pending, the latest set last. */
    public final List<Delayed> delayed = new ArrayList<>();
    /** Tasks that wait for their turn, the first to come first. */
    public final List<Task<?>> tasks = new ArrayList<>();
    /** Whether the actor's event loop takes no tasks any more. */
    public boolean shutDown;
    /** The time on the actor's clock; null as long as it is where clocks start. */
    public Instant now;
    /** When timers set now begin to wait. All timers that one step sets begin at one moment, in a new agenda at 0. */
    public int moment;
    /**
     * How many random values were drawn, where each is to differ from the others; 0 elsewhere. It survives a crash, so that a value drawn
     * after it is new.
     */
    public long draws;
    /** How often a timer fired, a scheduled task ran or a wait timed out, where that is bounded. It survives a crash, which would grant all again. */
    public long firings;

    /** Threads that were started, in that order, and have not ended, have locks still, or are shutdown hooks. */
    public final List<ActorThread> threads = new ArrayList<>();
    /** The thread that runs handlers; null as long as nobody asked for it. */
    public Mailbox mailbox;

    /** The actor's sockets; null as long as there are none. */
    public Sockets sockets;

    /** What static fields hold in a process, where that is not what they held at the start, by class and field. */
    public Map<String, Object> statics = new TreeMap<>();
    /** Gives what they hold now, while the process runs; null unless it does. */
    public Supplier<Map<String, Object>> running;

    /** Reports whether a step of a process runs, which has no handlers. */
    boolean isOfProcess() {
        return running != null;
    }

    /** Reports whether the shutdown hooks of a process run. */
    boolean isExiting() {
        return threads.stream().anyMatch(t -> t.isHook && t.isStarted);
    }

    /** What static fields hold in the process now. */
    public Map<String, Object> staticsNow() {
        return running == null ? statics : running.get();
    }

    /** The thread that runs handlers. */
    public Mailbox mailbox() {
        if (mailbox == null) {
            mailbox = new Mailbox();
        }
        return mailbox;
    }

    /** Reports whether a handler waits, so that no other one, no timer and no task can run. */
    public boolean isBusy() {
        return mailbox != null && mailbox.isBusy();
    }

    /** Reports whether a thread waits for what is there. */
    public boolean isReady(ActorThread thread) {
        return thread.wait != null && thread.wait.isReady(thread, this);
    }

    /** The threads, that of handlers first. */
    List<ActorThread> all() {
        List<ActorThread> all = new ArrayList<>();
        if (mailbox != null) {
            all.add(mailbox);
        }
        all.addAll(threads);
        return all;
    }

    /** A thread for which another one that wants a monitor or lock has to wait; null if there is none. */
    ActorThread holder(Object lock, ActorThread wants) {
        if (lock instanceof ActorReadWriteLock.Reader reader) {
            return having(reader.writer(), wants);
        }
        ActorThread found = having(lock, wants);
        boolean isOfReaders = found == null && lock instanceof ActorReadWriteLock.Writer && (wants == null || wants.held(lock) == null);
        return isOfReaders ? having(((ActorReadWriteLock.Writer) lock).reader(), null) : found;
    }

    /** All for which a thread has to wait that waits for a monitor or lock: those that have it, and those that come first. */
    List<ActorThread> holders(ActorThread thread) {
        List<ActorThread> found = new ArrayList<>();
        Object lock = thread.wait.lock();
        for (ActorThread t : all()) {
            boolean reads = lock instanceof ActorReadWriteLock.Writer writer && thread.held(lock) == null && t.held(writer.reader()) != null;
            boolean has = t != thread && t.held(lock instanceof ActorReadWriteLock.Reader reader ? reader.writer() : lock) != null;
            if (reads || has || thread.wait.isBehind(t)) {
                found.add(t);
            }
        }
        return found;
    }

    /** A thread other than the given one that has a monitor or lock; null if there is none. */
    ActorThread having(Object lock, ActorThread but) {
        if (mailbox != null && mailbox != but && mailbox.held(lock) != null) {
            return mailbox;
        }
        for (ActorThread t : threads) {
            if (t != but && t.held(lock) != null) {
                return t;
            }
        }
        return null;
    }

    /** Has a thread wait without a limit of time. */
    void cancelTimeOut(ActorThread thread) {
        delayed.removeIf(d -> Threads.isTimeOut(d, thread));
    }

    /** Sets a timer, or schedules a task. */
    public void delay(Object what, long min, long max) {
        delayed.add(new Delayed(what, min, max, moment));
    }

    /** What the JDK has done by a thread of its own after a while, as the body of a scheduled task. */
    public interface Alarm extends Runnable {
        /**
         * What people call it.
         *
         * @param name gives the name of a task
         */
        String label(Function<Object, String> name);

        /** Reports whether it would do nothing any more. */
        default boolean isOutdated() {
            return false;
        }
    }

    /** Gives up what would do nothing any more. */
    public void removeOutdated() {
        delayed.removeIf(d -> d.what() instanceof Task<?> task && task.body() instanceof Alarm alarm && alarm.isOutdated());
    }

    /**
     * A timer or a scheduled task.
     *
     * @param what a {@link Task}, or else the timer's value
     * @param min after how many nanoseconds it may fire
     * @param max after how many nanoseconds it must fire
     * @param moment when it began to wait: of two moments, the later one has the larger number
     */
    public record Delayed(Object what, long min, long max, int moment) {}

    /** Notes that code of the program reads an agenda. */
    public static void noteRead() {
        READ.get()[0] = true;
    }

    /** Reports whether code of the program has read an agenda since the last call. */
    public static boolean takeRead() {
        boolean was = READ.get()[0];
        READ.get()[0] = false;
        return was;
    }
}
