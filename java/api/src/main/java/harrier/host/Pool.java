package harrier.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A pool of threads of an actor, in place of the JDK's: a queue and workers. Classes of programs that extend
 * {@link java.util.concurrent.ThreadPoolExecutor} or {@link ScheduledThreadPoolExecutor} extend it. Its own fields are a part of the
 * state, those of the JDK's classes are not. Workers do not end because they were idle for long.
 */
public class Pool extends ScheduledThreadPoolExecutor implements ThreadState {
    /** Makes no threads: for the JDK's constructor. */
    private static final ThreadFactory NONE = body -> null;

    private int core;
    private int max;
    /** Tasks that wait for a worker; null if each is handed to one at once. */
    private final BlockingQueue<Runnable> queue;
    private ThreadFactory factory;
    private RejectedExecutionHandler handler;
    final List<Worker> workers = new ArrayList<>();
    /** How many tasks are scheduled for later. */
    private int pending;
    private boolean isShut;
    private boolean isStopped;
    /** Whether periodic and delayed tasks go on after a shutdown. */
    private boolean keepsPeriodic;
    private boolean keepsDelayed = true;

    public Pool(int core, int max, long alive, TimeUnit unit, BlockingQueue<Runnable> queue, ThreadFactory factory,
            RejectedExecutionHandler handler) {
        super(0, NONE);
        if (core < 0 || max <= 0 || max < core || alive < 0) {
            throw new IllegalArgumentException();
        }
        this.core = core;
        this.max = max;
        this.queue = queue instanceof SynchronousQueue ? null : Objects.requireNonNull(queue);
        this.factory = factory;
        this.handler = handler;
    }

    public Pool(int core, int max, long alive, TimeUnit unit, BlockingQueue<Runnable> queue) {
        this(core, max, alive, unit, queue, null, null);
    }

    public Pool(int core, int max, long alive, TimeUnit unit, BlockingQueue<Runnable> queue, ThreadFactory factory) {
        this(core, max, alive, unit, queue, Objects.requireNonNull(factory), null);
    }

    public Pool(int core, int max, long alive, TimeUnit unit, BlockingQueue<Runnable> queue, RejectedExecutionHandler handler) {
        this(core, max, alive, unit, queue, null, Objects.requireNonNull(handler));
    }

    public Pool(int core) {
        this(core, Integer.MAX_VALUE, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), null, null);
    }

    public Pool(int core, ThreadFactory factory) {
        this(core, Integer.MAX_VALUE, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory, null);
    }

    public Pool(int core, RejectedExecutionHandler handler) {
        this(core, Integer.MAX_VALUE, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), null, handler);
    }

    public Pool(int core, ThreadFactory factory, RejectedExecutionHandler handler) {
        this(core, Integer.MAX_VALUE, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory, handler);
    }

    // Taking tasks.

    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task);
        if (isShut) {
            reject(task);
        } else if (workers.size() < core) {
            add(task);
        } else if (queue == null ? hand(task) : queue.offer(task)) {
            if (workers.isEmpty()) {
                add(null);
            }
        } else if (workers.size() < max) {
            add(task);
        } else {
            reject(task);
        }
    }

    /** Adds a worker that begins with a task, or with one of the queue. */
    private void add(Runnable task) {
        Worker worker = new Worker(this, task);
        Thread thread = factory == null ? new ActorThread(worker) : factory.newThread(worker);
        if (thread != null) {
            worker.thread = (ActorThread) thread;
            thread.start();
            workers.add(worker);
        }
    }

    private boolean hand(Runnable task) {
        List<Worker> idle = idle();
        if (!idle.isEmpty()) {
            idle.get(idle.size() == 1 ? 0 : Hooks.control("").choose(idle.size())).hand = task;
        }
        return !idle.isEmpty();
    }

    /** The workers one of which takes the next task: one stands for all, unless they have values of thread locals. */
    private List<Worker> idle() {
        List<Worker> idle = workers.stream().filter(Worker::isIdle).toList();
        return idle.isEmpty() || idle.stream().anyMatch(w -> !w.thread.locals.isEmpty()) ? idle : idle.subList(0, 1);
    }

    private void reject(Runnable task) {
        if (handler == null) {
            throw new RejectedExecutionException("the executor is shut down, or has no room");
        }
        handler.rejectedExecution(task, this);
    }

    /** A task is due that was scheduled. */
    private void due(Runnable task) {
        pending--;
        if (!isStopped) {
            queue.add(task);
            prestart(); // in place of one that has failed
        }
    }

    // What workers ask.

    /** Reports whether an idle worker can go on: of idle workers that are equal, only the first takes tasks from the queue. */
    boolean isReady(Worker worker) {
        if (worker.hand != null || isStopped) {
            return true;
        }
        boolean isEmpty = queue == null || queue.isEmpty();
        return isEmpty ? isOver() : idle().contains(worker);
    }

    private boolean isOver() {
        return isShut && pending == 0;
    }

    /** The next task of a worker; null if it is to end. */
    Runnable next() {
        return isStopped || queue == null ? null : queue.poll();
    }

    Runnable peek() {
        return queue == null ? null : queue.peek();
    }

    void before(Worker worker) {
        if (!isStopped) {
            worker.thread.isFlagged = false;
        }
        beforeExecute(worker.thread, worker.running);
    }

    void after(Runnable task, Throwable thrown) {
        afterExecute(task, thrown);
    }

    /** A worker has ended. */
    void ended(Worker worker) {
        workers.remove(worker);
        endIdle();
    }

    /** Ends the workers that have nothing to do any more. */
    private void endIdle() {
        if (isStopped || isOver() && peek() == null) {
            for (Worker w : List.copyOf(workers)) {
                if (w.isIdle() && w.thread.wait != null && w.thread.wait.kind == Wait.Kind.TASK) {
                    workers.remove(w);
                    Threads.end(w.thread);
                }
            }
        }
        if (isTerminated()) {
            terminated();
        }
    }

    // Futures.

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
        return new PoolFuture<>(task, value);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
        return new PoolFuture<>(task);
    }

    @Override
    public Future<?> submit(Runnable task) {
        return submit(task, null);
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        RunnableFuture<T> future = newTaskFor(Objects.requireNonNull(task), result);
        execute(future);
        return future;
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        RunnableFuture<T> future = newTaskFor(Objects.requireNonNull(task));
        execute(future);
        return future;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return delayed(new PoolFuture<Void>(Objects.requireNonNull(task), null), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        return delayed(new PoolFuture<>(Objects.requireNonNull(task)), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(task, first, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        if (delay <= 0) {
            throw new IllegalArgumentException();
        }
        PoolFuture<Void> future = new PoolFuture<>(Objects.requireNonNull(task), null);
        future.period = unit.toNanos(delay);
        return delayed(future, first, unit);
    }

    private <V> PoolFuture<V> delayed(PoolFuture<V> future, long delay, TimeUnit unit) {
        if (isShut) {
            reject(future);
        } else {
            future.pool = this;
            pending++;
            Threads.delay(new Due(this, future), Math.max(0, unit.toNanos(delay)));
            prestart();
        }
        return future;
    }

    /** Has a worker for a task that is scheduled, made by who schedules it. */
    private void prestart() {
        if (workers.size() < Math.max(core, 1)) {
            add(null);
        }
    }

    /** Has a periodic task run again. */
    void again(PoolFuture<?> future) {
        if (!isStopped && (!isShut || keepsPeriodic)) {
            pending++;
            Threads.delay(new Due(this, future), future.period);
            prestart();
        } else {
            future.cancel(false);
        }
    }

    /** That a task is due, as the body of what is pending. */
    record Due(Pool pool, PoolFuture<?> future) implements Agenda.Alarm {
        @Override
        public void run() {
            pool.due(future);
        }

        @Override
        public String label(Function<Object, String> name) {
            return "task " + name.apply(future.body()) + " is due";
        }
    }

    // Ending.

    @Override
    public void shutdown() {
        isShut = true;
        for (Due due : Threads.delayedOf(this)) {
            if (due.future.period > 0 ? !keepsPeriodic : !keepsDelayed) {
                due.future.cancel(false);
            }
        }
        endIdle();
    }

    /** Gives up a task that is scheduled for later. */
    void cancel(PoolFuture<?> future) {
        for (Due due : Threads.delayedOf(this)) {
            if (due.future == future) {
                Threads.cancel(due);
                pending--;
            }
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        isShut = true;
        isStopped = true;
        List<Runnable> dropped = new ArrayList<>();
        if (queue != null) {
            queue.drainTo(dropped);
        }
        for (Due due : Threads.delayedOf(this)) {
            cancel(due.future);
            dropped.add(due.future);
        }
        for (Worker w : workers) {
            if (!w.isIdle()) {
                w.thread.interrupt();
            }
        }
        endIdle();
        return dropped;
    }

    @Override
    public boolean isShutdown() {
        return isShut;
    }

    @Override
    public boolean isTerminating() {
        return isShut && !isTerminated();
    }

    @Override
    public boolean isTerminated() {
        return isShut && workers.isEmpty() && (isStopped || isOver() && (queue == null || queue.isEmpty()));
    }

    // What else the JDK's class has.

    @Override
    public void setExecuteExistingDelayedTasksAfterShutdownPolicy(boolean value) {
        keepsDelayed = value;
    }

    @Override
    public boolean getExecuteExistingDelayedTasksAfterShutdownPolicy() {
        return keepsDelayed;
    }

    @Override
    public void setContinueExistingPeriodicTasksAfterShutdownPolicy(boolean value) {
        keepsPeriodic = value;
    }

    @Override
    public boolean getContinueExistingPeriodicTasksAfterShutdownPolicy() {
        return keepsPeriodic;
    }

    @Override
    public void setRemoveOnCancelPolicy(boolean value) {
        // Tasks that are cancelled are removed.
    }

    @Override
    public boolean getRemoveOnCancelPolicy() {
        return true;
    }

    @Override
    public BlockingQueue<Runnable> getQueue() {
        return queue == null ? new LinkedBlockingQueue<>() : queue;
    }

    @Override
    public boolean remove(Runnable task) {
        return queue != null && queue.remove(task);
    }

    @Override
    public void purge() {
        if (queue != null) {
            queue.removeIf(r -> r instanceof PoolFuture<?> f && f.isCancelled());
        }
    }

    @Override
    public int getPoolSize() {
        return workers.size();
    }

    @Override
    public int getActiveCount() {
        return (int) workers.stream().filter(w -> !w.isIdle()).count();
    }

    @Override
    public int getCorePoolSize() {
        return core;
    }

    @Override
    public void setCorePoolSize(int size) {
        core = size;
    }

    @Override
    public int getMaximumPoolSize() {
        return max;
    }

    @Override
    public void setMaximumPoolSize(int size) {
        max = size;
    }

    @Override
    public ThreadFactory getThreadFactory() {
        return factory == null ? ActorThread::new : factory;
    }

    @Override
    public void setThreadFactory(ThreadFactory newFactory) {
        factory = Objects.requireNonNull(newFactory);
    }

    @Override
    public RejectedExecutionHandler getRejectedExecutionHandler() {
        return handler == null ? new AbortPolicy() : handler;
    }

    @Override
    public void setRejectedExecutionHandler(RejectedExecutionHandler newHandler) {
        handler = Objects.requireNonNull(newHandler);
    }

    @Override
    public void setKeepAliveTime(long time, TimeUnit unit) {
        // Workers do not end because they are idle.
    }

    @Override
    public void allowCoreThreadTimeOut(boolean value) {
        // As above.
    }

    @Override
    public String toString() {
        return "ThreadPoolExecutor";
    }
}
