package harrier.host;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Stands in for methods that wait, and checks those that would start threads. */
public final class ThreadHooks {
    private ThreadHooks() {}

    /** Stands in for {@link Runtime#addShutdownHook}: hooks run where a process ends by itself. */
    public static void addShutdownHook(Runtime runtime, Thread hook, String place) {
        Threads here = Threads.here();
        if (here == null || !here.agenda().isOfProcess() || !(hook instanceof ActorThread own)) {
            Hooks.control(place).shutdownHook(place);
            return;
        }
        Threads.requireNoInitializer("adds a shutdown hook");
        requireRunning(here);
        if (own.isStarted || own.isHook) {
            throw new IllegalArgumentException("the hook is registered or runs");
        }
        own.isHook = true;
        own.wait = new Wait(Wait.Kind.EXIT, null, null, false, "");
        here.agenda().threads.add(own);
    }

    /** Stands in for {@link Runtime#removeShutdownHook}. */
    public static boolean removeShutdownHook(Runtime runtime, Thread hook, String place) {
        Threads here = Threads.here();
        if (here == null || !here.agenda().isOfProcess() || !(hook instanceof ActorThread own)) {
            Hooks.control(place).shutdownHook(place);
            return true;
        }
        requireRunning(here);
        boolean is = own.isHook;
        if (is) {
            own.isHook = false;
            own.wait = null;
            here.agenda().threads.removeIf(t -> t == own);
        }
        return is;
    }

    private static void requireRunning(Threads here) {
        if (here.agenda().isExiting()) {
            throw new IllegalStateException("Shutdown in progress");
        }
    }

    /** Stands in for {@link Thread#getName}: which thread runs a step says nothing about the step. */
    public static String name(Thread thread, String place) {
        if (thread == Thread.currentThread()) {
            return "main";
        }
        String name = thread.getName();
        if (name.matches("Thread-\\d+")) {
            Hooks.control(place).refuseThreads("asks for the name of a thread that was given none", place);
        }
        return name;
    }

    /** Stands in for {@link Thread#getId} and {@code Thread.threadId}. */
    public static long id(Thread thread, String place) {
        if (thread != Thread.currentThread()) {
            Hooks.control(place).refuseThreads("asks a thread for its number", place);
        }
        return 1;
    }

    /** Stands in for {@link Thread#toString}. */
    public static String toString(Thread thread, String place) {
        return "Thread[" + name(thread, place) + "]";
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
        if (isOfTheJdk(executor)) {
            Hooks.control(place).refuseThreads("hands a task to an executor of the JDK", place);
        }
        return executor;
    }

    /** Whether an object is one of the JDK's executors, or extends one: they have threads. */
    public static boolean isOfTheJdk(Object object) {
        Class<?> type = object == null ? Object.class : object.getClass();
        while (type.getClassLoader() != null && type.getClassLoader() != ThreadHooks.class.getClassLoader()
                && type.getClassLoader() != ClassLoader.getPlatformClassLoader()) {
            type = type.getSuperclass();
        }
        return type.getClassLoader() != ThreadHooks.class.getClassLoader() && Executor.class.isAssignableFrom(type)
            && type != AbstractExecutorService.class;
    }

    /** Stands in for {@link Semaphore#acquire(int)}. */
    public static void acquire(Semaphore semaphore, int permits, String place) throws InterruptedException {
        require(semaphore, permits, "acquire", place);
        semaphore.acquire(permits);
    }

    /** Stands in for {@link Semaphore#acquireUninterruptibly(int)}. */
    public static void acquireUninterruptibly(Semaphore semaphore, int permits, String place) {
        require(semaphore, permits, "acquireUninterruptibly", place);
        semaphore.acquireUninterruptibly(permits);
    }

    /** Stands in for {@link Semaphore#tryAcquire(int, long, TimeUnit)}. */
    public static boolean tryAcquire(Semaphore semaphore, int permits, long time, TimeUnit unit, String place) {
        require(semaphore, permits, "tryAcquire", place);
        return semaphore.tryAcquire(permits);
    }

    /** Stands in for {@link AbstractQueuedSynchronizer#acquire}: what extends that cannot be waited for. */
    public static void acquire(AbstractQueuedSynchronizer synchronizer, int argument, String place) {
        if (!(boolean) tries(synchronizer, "tryAcquire", argument)) {
            refuse(synchronizer, place);
        }
    }

    /** Stands in for {@link AbstractQueuedSynchronizer#acquireInterruptibly}. */
    public static void acquireInterruptibly(AbstractQueuedSynchronizer synchronizer, int argument, String place) {
        acquire(synchronizer, argument, place);
    }

    /** Stands in for {@link AbstractQueuedSynchronizer#tryAcquireNanos}. */
    public static boolean tryAcquireNanos(AbstractQueuedSynchronizer synchronizer, int argument, long nanos, String place) {
        acquire(synchronizer, argument, place);
        return true;
    }

    /** Stands in for {@link AbstractQueuedSynchronizer#acquireShared}. */
    public static void acquireShared(AbstractQueuedSynchronizer synchronizer, int argument, String place) {
        if ((int) tries(synchronizer, "tryAcquireShared", argument) < 0) {
            refuse(synchronizer, place);
        }
    }

    /** Stands in for {@link AbstractQueuedSynchronizer#acquireSharedInterruptibly}. */
    public static void acquireSharedInterruptibly(AbstractQueuedSynchronizer synchronizer, int argument, String place) {
        acquireShared(synchronizer, argument, place);
    }

    /** Stands in for {@link AbstractQueuedSynchronizer#tryAcquireSharedNanos}. */
    public static boolean tryAcquireSharedNanos(AbstractQueuedSynchronizer synchronizer, int argument, long nanos, String place) {
        acquireShared(synchronizer, argument, place);
        return true;
    }

    private static void refuse(AbstractQueuedSynchronizer synchronizer, String place) {
        throw Hooks.control(place).refused("waits for a " + synchronizer.getClass().getSimpleName() + ", which extends AbstractQueuedSynchronizer",
            "wait for one of the JDK's locks or synchronizers instead");
    }

    /** What the program's class says to a try. */
    private static Object tries(AbstractQueuedSynchronizer synchronizer, String method, int argument) {
        for (Class<?> c = synchronizer.getClass(); c != AbstractQueuedSynchronizer.class; c = c.getSuperclass()) {
            try {
                Method own = c.getDeclaredMethod(method, int.class);
                own.setAccessible(true);
                return own.invoke(synchronizer, argument);
            } catch (NoSuchMethodException e) {
                continue; // it may inherit it
            } catch (InvocationTargetException e) {
                throw Thrown.asItIs(e.getCause());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new UnsupportedOperationException();
    }

    private static void require(Semaphore semaphore, int permits, String call, String place) {
        if (semaphore.availablePermits() < permits) {
            Hooks.control(place).refuseThreads("waits in Semaphore." + call + " for " + permits + " permits", place);
        }
    }

    /** Whether a stream is to be parallel: none is, and it is refused unless that is allowed. */
    public static boolean sequential(boolean parallel, String place) {
        if (parallel) {
            Hooks.control(place).parallel("makes a stream parallel", place);
        }
        return false;
    }

    /** Stands in for {@link Collection#parallelStream}. */
    public static <T> Stream<T> parallelStream(Collection<T> collection, String place) {
        Hooks.control(place).parallel("calls Collection.parallelStream", place);
        return collection.stream();
    }

    /** Stands in for {@link BaseStream#parallel}. */
    public static BaseStream<?, ?> parallel(BaseStream<?, ?> stream, String place) {
        Hooks.control(place).parallel("calls BaseStream.parallel", place);
        return stream;
    }

    /** Stands in for {@link IntStream#parallel}. */
    public static IntStream parallel(IntStream stream, String place) {
        parallel((BaseStream<?, ?>) stream, place);
        return stream;
    }

    /** Stands in for {@link LongStream#parallel}. */
    public static LongStream parallel(LongStream stream, String place) {
        parallel((BaseStream<?, ?>) stream, place);
        return stream;
    }

    /** Stands in for {@link DoubleStream#parallel}. */
    public static DoubleStream parallel(DoubleStream stream, String place) {
        parallel((BaseStream<?, ?>) stream, place);
        return stream;
    }

    /** Refuses a task that would run on threads of the JDK, as no executor is given for it. */
    public static void noExecutor(String place) {
        Hooks.control(place).refuseThreads("hands a task to the threads of the JDK", place);
    }
}
