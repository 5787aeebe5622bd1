package harrier.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** An executor that has a thread of its own for each task: in place of the JDK's that has, and of pools that run as many tasks at once as there are. */
final class TaskThreads extends AbstractExecutorService implements ThreadState {
    private final ThreadFactory factory;
    private final List<Running> running = new ArrayList<>();
    private boolean isShut;

    TaskThreads(ThreadFactory factory) {
        this.factory = factory;
    }

    /** What a thread does: a task, which may wait in the middle. */
    static final class Running implements Runnable, ThreadState {
        private final TaskThreads pool;
        private final Runnable task;
        private ActorThread thread;

        Running(TaskThreads pool, Runnable task) {
            this.pool = pool;
            this.task = task;
        }

        Runnable task() {
            return task;
        }

        @Override
        public void run() {
            Frames.place(); // it has nothing to go on with but what it calls
            try {
                task.run();
            } finally {
                if (Frames.isLeft()) {
                    Frames.saved(this, "java.util.concurrent.ThreadPoolExecutor$Worker.run()V", 0, 1);
                } else {
                    pool.running.remove(this);
                }
            }
        }
    }

    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task);
        if (isShut) {
            throw new RejectedExecutionException("the executor is shut down");
        }
        Running one = new Running(this, task);
        one.thread = (ActorThread) (factory == null ? new ActorThread(one) : factory.newThread(one));
        running.add(one);
        one.thread.start();
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
        return new PoolFuture<>(task, value);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
        return new PoolFuture<>(task);
    }

    @Override
    public void shutdown() {
        isShut = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        isShut = true;
        running.forEach(r -> r.thread.interrupt());
        return new ArrayList<>();
    }

    @Override
    public boolean isShutdown() {
        return isShut;
    }

    @Override
    public boolean isTerminated() {
        return isShut && running.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        throw new IllegalStateException();
    }
}
