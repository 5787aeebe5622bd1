package harrier.runtime;

/**
 * What code of the program runs now. Written by the thread that runs it, read by another one when it
 * takes too long.
 */
public final class Running {
    private static volatile Thread thread;
    private static volatile String what = "";
    private static volatile int number;

    private Running() {}

    /** Says that code of the program is about to run. */
    public static synchronized void begin(String newWhat) {
        number++;
        thread = Thread.currentThread();
        what = newWhat;
    }

    /** Says that it is over. */
    public static void end() {
        what = "";
    }

    /** Counts the executions, so that one that takes long can be told from many. */
    static int number() {
        return number;
    }

    /** What runs, for people; empty if no code of the program does. */
    static String what() {
        return what;
    }

    /** The thread that ran the last execution; null if there was none. */
    static Thread thread() {
        return thread;
    }
}
