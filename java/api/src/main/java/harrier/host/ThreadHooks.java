package harrier.host;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Stands in for what waits, and looks at what would start threads. */
public final class ThreadHooks {
    private ThreadHooks() {}

    /** Stands in for {@link Thread#getName}: which thread runs a step says nothing about the step. */
    public static String name(Thread thread, String place) {
        return thread == Thread.currentThread() ? "main" : thread.getName();
    }

    /** Stands in for {@link Thread#getId} and {@code Thread.threadId}. */
    public static long id(Thread thread, String place) {
        return thread == Thread.currentThread() ? 1 : thread.getId();
    }

    /** Stands in for {@link Thread#sleep(long)}. */
    public static void sleep(long millis, String place) {
        Hooks.control(place).sleep("Thread.sleep", place);
    }

    /** Stands in for {@link Thread#sleep(long, int)}. */
    public static void sleep(long millis, int nanos, String place) {
        sleep(millis, place);
    }

    /** Stands in for {@code Thread.sleep(Duration)}. */
    public static void sleep(Duration duration, String place) {
        sleep(0, place);
    }

    /** Stands in for {@link TimeUnit#sleep}. */
    public static void sleep(TimeUnit unit, long time, String place) {
        Hooks.control(place).sleep("TimeUnit.sleep", place);
    }

    /** The executor that is handed to a method of the JDK, unless it is one of the JDK's, which have threads. */
    public static Executor executor(Executor executor, String place) {
        if (executor != null && executor.getClass().getClassLoader() == null) {
            Hooks.control(place).refuseThreads("hands a task to an executor of the JDK", place);
        }
        return executor;
    }

    /** Whether a stream is to be parallel, which it must not be. */
    public static boolean sequential(boolean parallel, String place) {
        if (parallel) {
            Hooks.control(place).refuseThreads("makes a stream parallel", place);
        }
        return parallel;
    }

    /** Refuses a task that would run on threads of the JDK, as no executor is given for it. */
    public static void noExecutor(String place) {
        Hooks.control(place).refuseThreads("hands a task to the threads of the JDK", place);
    }
}
