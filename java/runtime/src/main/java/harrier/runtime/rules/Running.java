package harrier.runtime.rules;

import harrier.host.StepStopped;
import harrier.runtime.origin.Origin;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
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

    /** How often a thread looks for an error that another one has had thrown in it. */
    private static final int POLLS = 1000;
    /** How often, and how many nanoseconds apart, a thread is looked at to be stopped in the program's own code. */
    private static final int LOOKS = 50;
    private static final long PAUSE = 1_000_000;

    private final Thread thread;
    private volatile String what = "";
    private volatile int number;
    /** Why the execution with the number in it is stopped; null if it is not. */
    private volatile Stop stop;
    private Guard guard;

    /**
     * That an execution is stopped.
     *
     * @param isThrown whether the virtual machine has been made to throw the error in it, so that it comes very soon
     */
    private record Stop(int execution, StepStopped error, boolean isThrown) {}

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
        boolean hasEnded = false;
        while (!hasEnded) {
            try {
                here().over();
                hasEnded = true;
            } catch (StepStopped e) {
                hasEnded = false; // it came after the execution was through
            }
        }
    }

    private void over() {
        what = "";
        Stop seen = stop;
        while (seen != null && !seen.isThrown) {
            Thread.onSpinWait(); // whoever stops the execution sees that it is over, or has the error thrown
            seen = stop;
        }
        for (int i = 0; seen != null && i < POLLS; i++) {
            Thread.yield(); // where the error comes, if it has not yet
        }
        stop = null;
        guard.end();
    }

    /**
     * Stops an execution: an error is thrown in it, wherever it is. It may be called again if the execution goes on all the same.
     *
     * @param execution its number
     * @param why the text of its failure
     */
    public synchronized void stop(int execution, String why) {
        if (execution != number) {
            return;
        }
        StackTraceElement[] stack = stackOfProgram();
        Stop before = stop;
        StepStopped error = before != null && before.execution == execution ? before.error : new StepStopped(why, stack);
        stop = new Stop(execution, error, false);
        if (execution == number && !what.isEmpty()) {
            VirtualMachine.stop(thread, error);
            stop = new Stop(execution, error, true);
        } else {
            stop = null;
        }
    }

    /**
     * The thread's stack, from the program's code on, or what that called of the JDK. The thread is looked at until none of harrier's
     * code runs, if that happens soon: there the error might leave something half done.
     */
    private StackTraceElement[] stackOfProgram() {
        StackTraceElement[] stack = thread.getStackTrace();
        int first = afterHarriers(stack);
        for (int i = 0; i < LOOKS && first > 0; i++) {
            LockSupport.parkNanos(PAUSE);
            stack = thread.getStackTrace();
            first = afterHarriers(stack);
        }
        return Arrays.copyOfRange(stack, first, stack.length);
    }

    /** The index of the frame behind the last one of harrier's that the program's innermost frame has called. */
    private static int afterHarriers(StackTraceElement[] stack) {
        int after = 0;
        for (int i = 0; i < stack.length; i++) {
            String type = stack[i].getClassName();
            if (Origin.isHarriers(type)) {
                after = i + 1;
            } else if (!Origin.isJdks(type)) {
                return after;
            }
        }
        return 0;
    }

    /** Throws again what stopped the execution, if code of the program or the JDK caught it. */
    public static void requireReturned() {
        StepStopped error = here().stopped();
        if (error != null) {
            Thread.interrupted();
            throw error;
        }
    }

    /** What stopped the execution, which also interrupted the thread, if something did; else what it threw. */
    public static Throwable cause(Throwable thrown) {
        StepStopped error = here().stopped();
        if (error == null) {
            return thrown;
        }
        Thread.interrupted();
        return error;
    }

    private StepStopped stopped() {
        Stop seen = stop;
        return seen == null || seen.execution != number ? null : seen.error;
    }

    /** What {@code code} gives, which may run the program's. */
    public static <T> T during(String what, Supplier<T> code) {
        begin(what);
        try {
            T given = code.get();
            requireReturned();
            return given;
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
