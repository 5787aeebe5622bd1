package harrier.runtime.rules;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * What code of the program a thread runs now. Written by that thread, read by another one that looks for
 * what takes too long.
 */
public final class Running {
    /** Of all threads that ever ran code of a program. They are few, and do not end. */
    private static final Queue<Running> ALL = new ConcurrentLinkedQueue<>();
    private static final ThreadLocal<Running> HERE = ThreadLocal.withInitial(() -> {
        Running here = new Running(Thread.currentThread());
        ALL.add(here);
        return here;
    });

    private final Thread thread;
    private volatile String what = "";
    private volatile int number;
    private Guard guard;

    private Running(Thread thread) {
        this.thread = thread;
    }

    /** Code of the program is about to run on this thread. */
    public static void begin(String newWhat) {
        Running here = here();
        here.number = here.number + 1; // nobody else writes it
        here.what = newWhat;
        here.guard = Guard.here();
        here.guard.begin();
    }

    /** Code of the program has run on this thread. */
    public static void end() {
        Running here = here();
        here.guard.end();
        here.what = "";
    }

    /** What {@code code} gives, which may run the program's. */
    public static <T> T during(String what, Supplier<T> code) {
        begin(what);
        try {
            return code.get();
        } finally {
            end();
        }
    }

    /** What runs on this thread. */
    public static Running here() {
        return HERE.get();
    }

    /** What runs on each thread. */
    public static Iterable<Running> all() {
        return ALL;
    }

    public Thread thread() {
        return thread;
    }

    /** Counts the executions of the thread, so that one that takes long can be distinguished from many. */
    public int number() {
        return number;
    }

    /** What runs, for people; empty if no code of the program does. */
    public String what() {
        return what;
    }
}
