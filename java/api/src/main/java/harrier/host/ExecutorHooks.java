package harrier.host;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Stand in for the JDK's methods that make executors, or run tasks on threads that it has. */
public final class ExecutorHooks {
    private ExecutorHooks() {}

    /** Stands in for {@link Executors#newFixedThreadPool(int)}. */
    public static ExecutorService newFixedThreadPool(int threads, String place) {
        return newFixedThreadPool(threads, null, place);
    }

    /** Stands in for {@link Executors#newFixedThreadPool(int, ThreadFactory)}. */
    public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory, String place) {
        return new Pool(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory, null);
    }

    /** Stands in for {@link Executors#newSingleThreadExecutor()}. */
    public static ExecutorService newSingleThreadExecutor(String place) {
        return newFixedThreadPool(1, place);
    }

    /** Stands in for {@link Executors#newSingleThreadExecutor(ThreadFactory)}. */
    public static ExecutorService newSingleThreadExecutor(ThreadFactory factory, String place) {
        return newFixedThreadPool(1, factory, place);
    }

    /** Stands in for {@link Executors#newCachedThreadPool()}: a thread that is idle is as one that is new. */
    public static ExecutorService newCachedThreadPool(String place) {
        return new TaskThreads(null);
    }

    /** Stands in for {@link Executors#newCachedThreadPool(ThreadFactory)}. */
    public static ExecutorService newCachedThreadPool(ThreadFactory factory, String place) {
        return new TaskThreads(factory);
    }

    /** Stands in for {@link Executors#newWorkStealingPool()}. */
    public static ExecutorService newWorkStealingPool(String place) {
        return new ForkPool();
    }

    /** Stands in for {@link Executors#newWorkStealingPool(int)}. */
    public static ExecutorService newWorkStealingPool(int parallelism, String place) {
        return new ForkPool(parallelism);
    }

    /** Stands in for {@link ForkJoinPool#commonPool}. */
    public static ForkJoinPool commonPool(String place) {
        return new ForkPool(ForkPool.UNLIMITED, true);
    }

    /** Stands in for {@code Executors.newVirtualThreadPerTaskExecutor}. */
    public static ExecutorService newVirtualThreadPerTaskExecutor(String place) {
        return new TaskThreads(null);
    }

    /** Stands in for {@code Executors.newThreadPerTaskExecutor}. */
    public static ExecutorService newThreadPerTaskExecutor(ThreadFactory factory, String place) {
        return new TaskThreads(factory);
    }

    /** Stands in for {@link Executors#newScheduledThreadPool(int)}. */
    public static ScheduledExecutorService newScheduledThreadPool(int threads, String place) {
        return new Pool(threads);
    }

    /** Stands in for {@link Executors#newScheduledThreadPool(int, ThreadFactory)}. */
    public static ScheduledExecutorService newScheduledThreadPool(int threads, ThreadFactory factory, String place) {
        return new Pool(threads, factory);
    }

    /** Stands in for {@link Executors#newSingleThreadScheduledExecutor()}. */
    public static ScheduledExecutorService newSingleThreadScheduledExecutor(String place) {
        return new Pool(1);
    }

    /** Stands in for {@link Executors#newSingleThreadScheduledExecutor(ThreadFactory)}. */
    public static ScheduledExecutorService newSingleThreadScheduledExecutor(ThreadFactory factory, String place) {
        return new Pool(1, factory);
    }

    /** Stands in for {@link Executors#defaultThreadFactory}. */
    public static ThreadFactory defaultThreadFactory(String place) {
        return new Factory();
    }

    /** Makes threads without names. */
    private record Factory() implements ThreadFactory {
        @Override
        public Thread newThread(Runnable body) {
            return new ActorThread(body);
        }
    }

    // CompletableFuture.

    /** The threads that the JDK runs tasks on for which it is given no executor: as many as there are tasks. */
    private record Common() implements Executor {
        @Override
        public void execute(Runnable task) {
            new ActorThread(task).start();
        }
    }

    /** The executor for a method that is given none. */
    public static Executor common(String place) {
        return new Common();
    }

    /** Stands in for {@link CompletableFuture#supplyAsync(Supplier)}. */
    public static <T> CompletableFuture<T> supplyAsync(Supplier<T> supplier, String place) {
        return supplyAsync(supplier, new Common(), place);
    }

    /** Stands in for {@link CompletableFuture#supplyAsync(Supplier, Executor)}. */
    public static <T> CompletableFuture<T> supplyAsync(Supplier<T> supplier, Executor executor, String place) {
        CompletableFuture<T> future = new CompletableFuture<>();
        ThreadHooks.executor(executor, place).execute(new Supply<>(future, supplier, null));
        return future;
    }

    /** Stands in for {@link CompletableFuture#runAsync(Runnable)}. */
    public static CompletableFuture<Void> runAsync(Runnable task, String place) {
        return runAsync(task, new Common(), place);
    }

    /** Stands in for {@link CompletableFuture#runAsync(Runnable, Executor)}. */
    public static CompletableFuture<Void> runAsync(Runnable task, Executor executor, String place) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        ThreadHooks.executor(executor, place).execute(new Supply<>(future, null, task));
        return future;
    }

    /** Completes a future by what a task gives, which may wait in the middle. */
    record Supply<T>(CompletableFuture<T> future, Supplier<T> supplier, Runnable task) implements Runnable {
        Object body() {
            return supplier == null ? task : supplier;
        }

        @Override
        public void run() {
            if (Frames.place() == 0 && future.isDone()) {
                return;
            }
            T given = null;
            try {
                if (supplier == null) {
                    task.run();
                } else {
                    given = supplier.get();
                }
            } catch (StepStopped e) {
                throw e;
            } catch (Throwable e) {
                future.completeExceptionally(e instanceof CompletionException || e instanceof CancellationException ? e : new CompletionException(e));
                return;
            }
            if (Frames.isLeft()) {
                Frames.saved(this, "java.util.concurrent.CompletableFuture$AsyncSupply.run()V", 0, 1);
            } else {
                future.complete(given);
            }
        }
    }

    /** Stands in for {@link CompletableFuture#orTimeout}. */
    public static <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, long time, TimeUnit unit, String place) {
        if (!future.isDone()) {
            Threads.delay(new Late<>(future, true, null), unit.toNanos(time));
        }
        return future;
    }

    /** Stands in for {@link CompletableFuture#completeOnTimeout}. */
    public static <T> CompletableFuture<T> completeOnTimeout(CompletableFuture<T> future, T value, long time, TimeUnit unit, String place) {
        if (!future.isDone()) {
            Threads.delay(new Late<>(future, false, value), unit.toNanos(time));
        }
        return future;
    }

    /** Stands in for {@link CompletableFuture#delayedExecutor(long, TimeUnit)}. */
    public static Executor delayedExecutor(long time, TimeUnit unit, String place) {
        return new Delaying(new Common(), unit.toNanos(time));
    }

    /** Stands in for {@link CompletableFuture#delayedExecutor(long, TimeUnit, Executor)}. */
    public static Executor delayedExecutor(long time, TimeUnit unit, Executor executor, String place) {
        return new Delaying(ThreadHooks.executor(executor, place), unit.toNanos(time));
    }

    private record Delaying(Executor executor, long nanos) implements Executor {
        @Override
        public void execute(Runnable task) {
            Threads.delay(new Handing(executor, task), nanos);
        }
    }

    private record Handing(Executor executor, Runnable task) implements Agenda.Alarm {
        @Override
        public void run() {
            executor.execute(task);
        }

        @Override
        public String label(Function<Object, String> name) {
            return "task " + name.apply(task) + " is due";
        }
    }

    /** Completes a future that has taken too long. */
    record Late<T>(CompletableFuture<T> future, boolean fails, T value) implements Agenda.Alarm {
        @Override
        public void run() {
            if (fails) {
                future.completeExceptionally(new TimeoutException());
            } else {
                future.complete(value);
            }
        }

        @Override
        public String label(Function<Object, String> name) {
            return "time-out of a future";
        }

        @Override
        public boolean isOutdated() {
            return future.isDone();
        }
    }
}
