package harrier.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A pool of tasks that fork others, in place of the JDK's. Each task has a thread; as many of them go on at once as the pool
 * has workers, not counting those that wait for other tasks. Which of the tasks that are queued begins is a choice.
 */
public class ForkPool extends ForkJoinPool implements ThreadState {
    /** The parallelism of a pool that has a worker for each task. */
    static final int UNLIMITED = Integer.MAX_VALUE;

    private final int most;
    private final boolean isCommon;
    private final List<Running> running = new ArrayList<>();
    private boolean isShut;

    public ForkPool() {
        this(UNLIMITED);
    }

    public ForkPool(int parallelism) {
        this(parallelism, false);
    }

    public ForkPool(int parallelism, ForkJoinWorkerThreadFactory factory, Thread.UncaughtExceptionHandler handler, boolean isAsync) {
        this(parallelism);
    }

    ForkPool(int parallelism, boolean isCommon) {
        super(1);
        if (parallelism <= 0) {
            throw new IllegalArgumentException();
        }
        most = parallelism;
        this.isCommon = isCommon;
    }

    /** What a thread does: a task, which may wait in the middle. */
    static final class Running implements Runnable, ThreadState {
        private final ForkPool pool;
        private final Object task;
        private ActorThread thread;

        Running(ForkPool pool, Object task) {
            this.pool = pool;
            this.task = task;
        }

        Object task() {
            return task;
        }

        /** Reports whether it is neither queued nor waits for another task. */
        private boolean isActive() {
            Wait wait = thread.wait;
            return wait == null || !isQueued() && !isForTasks(wait);
        }

        private boolean isQueued() {
            return thread.wait != null && thread.wait.kind == Wait.Kind.WORKER;
        }

        private static boolean isForTasks(Wait wait) {
            return wait.kind == Wait.Kind.RESULT && wait.on instanceof Forked
                || wait.kind == Wait.Kind.RESULTS && wait.on instanceof List<?> all && all.stream().allMatch(f -> f instanceof Forked);
        }

        @Override
        public void run() {
            Frames.place(); // it has nothing to go on with but what it calls
            try {
                if (task instanceof Forked forked) {
                    forked.runHere();
                } else {
                    ((Runnable) task).run();
                }
            } finally {
                if (Frames.isLeft()) {
                    Frames.saved(this, "java.util.concurrent.ForkJoinWorkerThread.run()V", 0, 1);
                } else {
                    pool.running.remove(this);
                    requireNoLocals(thread, "ends a task of a ForkJoinPool with a value in a ThreadLocal");
                }
            }
        }
    }

    /** A task made of a Callable or a Runnable that was handed to a pool. */
    @SuppressWarnings("serial") // nobody does
    private static final class Call<T> extends Forked.Task<T> {
        private final Callable<? extends T> call;
        private final Runnable run;
        private final T value;

        Call(Callable<? extends T> call, Runnable run, T value) {
            this.call = call;
            this.run = run;
            this.value = value;
        }

        @Override
        protected T compute() {
            throw new IllegalStateException();
        }

        @Override
        public void runHere() {
            Forked.run(this, () -> {
                if (call != null) {
                    return call.call();
                }
                run.run();
                return value;
            });
        }
    }

    /** The pool on whose thread a task runs; the common one elsewhere. */
    static ForkPool here() {
        Object body = Threads.here() == null ? null : Threads.here().current().body();
        return body instanceof Running running ? running.pool : new ForkPool(UNLIMITED, true);
    }

    /** Reports whether one more task may begin. */
    boolean hasWorker() {
        return running.stream().filter(Running::isActive).count() < most;
    }

    /** Refuses values of thread locals that other tasks of the same worker would find, or not. */
    private static void requireNoLocals(ActorThread thread, String what) {
        if (!thread.locals.isEmpty()) {
            throw Hooks.control("").refused(what, "other tasks of its worker find it: remove it before (ThreadLocal.remove)");
        }
    }

    void begin(Object task) {
        Objects.requireNonNull(task);
        if (Threads.here() != null && Threads.here().current().body() instanceof Running) {
            requireNoLocals(Threads.here().current(), "hands a task to a ForkJoinPool in one that has a value in a ThreadLocal");
        }
        if (isShut) {
            throw new RejectedExecutionException("the executor is shut down");
        }
        Running one = new Running(this, task);
        one.thread = new ActorThread(null, one, null, 0, !isCommon);
        running.add(one);
        Threads.start(one.thread, new Wait(Wait.Kind.WORKER, this, null, false, ""));
    }

    @Override
    public void execute(Runnable task) {
        begin(task);
    }

    @Override
    public void execute(ForkJoinTask<?> task) {
        begin(task);
    }

    @Override
    public <T> ForkJoinTask<T> submit(ForkJoinTask<T> task) {
        begin(task);
        return task;
    }

    @Override
    public <T> ForkJoinTask<T> submit(Callable<T> task) {
        return submit(new Call<>(Objects.requireNonNull(task), null, null));
    }

    @Override
    public <T> ForkJoinTask<T> submit(Runnable task, T result) {
        return submit(new Call<>(null, Objects.requireNonNull(task), result));
    }

    @Override
    @SuppressWarnings("unchecked")
    public ForkJoinTask<?> submit(Runnable task) {
        return task instanceof Forked ? submit((ForkJoinTask<Object>) task) : submit(task, null);
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) {
        throw new IllegalStateException();
    }

    @Override
    public void shutdown() {
        isShut = !isCommon;
    }

    @Override
    public List<Runnable> shutdownNow() {
        if (!isCommon) {
            isShut = true;
            for (Running r : List.copyOf(running)) {
                if (r.task instanceof Forked forked) {
                    forked.result().cancel();
                }
                if (r.isQueued()) {
                    running.remove(r);
                    Threads.end(r.thread);
                } else {
                    r.thread.interrupt();
                }
            }
        }
        return new ArrayList<>();
    }

    @Override
    public boolean isShutdown() {
        return isShut;
    }

    @Override
    public boolean isTerminating() {
        return isShut && !running.isEmpty();
    }

    @Override
    public boolean isTerminated() {
        return isShut && running.isEmpty();
    }

    @Override
    public boolean isQuiescent() {
        return running.isEmpty();
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) {
        throw new IllegalStateException();
    }

    @Override
    public int getParallelism() {
        return most;
    }

    @Override
    public int getPoolSize() {
        return running.size();
    }

    @Override
    public int getActiveThreadCount() {
        return (int) running.stream().filter(Running::isActive).count();
    }

    @Override
    public String toString() {
        return "ForkJoinPool";
    }
}
