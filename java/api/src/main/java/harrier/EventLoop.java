package harrier;

import harrier.host.Agenda;
import harrier.host.Agenda.Delayed;
import harrier.host.Task;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * An actor's event loop, for code that wants an executor. It has no thread: each task is an internal event of
 * the actor, and runs between handlers, never during one.
 *
 * <p>Tasks given to {@link #execute} and {@link #submit} run in the order in which they came. A scheduled task runs
 * later like a timer: at any moment, or in the order that the delays force if the scenario says
 * {@code timers().inOrder()}. Pending tasks are part of the actor's local state, with the objects that they refer to.
 *
 * <p>Tasks may do what handlers may do, but {@code reply}. An exception that leaves a task given to
 * {@link #execute} is a violation. Of other tasks the future has the exception, as the JDK's executors do it;
 * errors, such as those of assertions, are violations always. Asking a future for a result that is not there yet
 * would wait for ever, so it fails.
 *
 * <p>Like {@link Actor#send}, it cannot be used by guards and properties; but it can in constructors.
 *
 * @see <a href="{@docRoot}/guide.html#event-loops">Guide: event loops</a>
 */
public final class EventLoop implements ScheduledExecutorService {
    private static final long ONCE = -1;

    private final Actor owner;

    EventLoop(Actor owner) {
        this.owner = owner;
    }

    @Override
    public void execute(Runnable command) {
        enqueue("execute", new Task<>(owner, Objects.requireNonNull(command), false, false, ONCE, null));
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        return enqueue("submit", new Task<T>(owner, Objects.requireNonNull(task), true, false, ONCE, null));
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        return enqueue("submit", new Task<>(owner, Objects.requireNonNull(task), true, false, ONCE, result));
    }

    @Override
    public Future<?> submit(Runnable task) {
        return submit(task, null);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return schedule(command, delay, ONCE, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return schedule(callable, delay, ONCE, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(command, initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        if (delay <= 0) {
            throw new IllegalArgumentException("a period of " + delay + ": it must be positive");
        }
        return schedule(command, initialDelay, unit.toNanos(delay), unit);
    }

    private <T> ScheduledFuture<T> schedule(Object body, long delay, long period, TimeUnit unit) {
        Task<T> task = new Task<>(owner, Objects.requireNonNull(body), true, true, period, null);
        long nanos = Math.max(0, unit.toNanos(delay));
        open("schedule").delay(task, nanos, nanos);
        return task;
    }

    private <T> Task<T> enqueue(String method, Task<T> task) {
        open(method).tasks.add(task);
        return task;
    }

    private Agenda open(String method) {
        Agenda agenda = owner.changing(method);
        if (agenda.shutDown) {
            throw new RejectedExecutionException("the event loop is shut down");
        }
        return agenda;
    }

    /** Takes no more tasks. Those that wait will run, but for periodic ones. */
    @Override
    public void shutdown() {
        Agenda agenda = owner.changing("shutdown");
        agenda.shutDown = true;
        for (Delayed d : List.copyOf(agenda.delayed)) {
            if (d.what() instanceof Task<?> task && task.isPeriodic()) {
                task.cancel(false);
            }
        }
    }

    /** Takes no more tasks, and gives up those that wait. */
    @Override
    public List<Runnable> shutdownNow() {
        Agenda agenda = owner.changing("shutdownNow");
        agenda.shutDown = true;
        List<Runnable> dropped = new ArrayList<>(agenda.tasks);
        agenda.tasks.clear();
        for (Delayed d : List.copyOf(agenda.delayed)) {
            if (d.what() instanceof Task<?> task) {
                agenda.delayed.remove(d);
                dropped.add(task);
            }
        }
        return dropped;
    }

    @Override
    public boolean isShutdown() {
        Agenda.noteRead();
        return owner.agenda().shutDown;
    }

    @Override
    public boolean isTerminated() {
        Agenda.noteRead();
        Agenda agenda = owner.agenda();
        return agenda.shutDown && agenda.tasks.isEmpty()
            && agenda.delayed.stream().noneMatch(d -> d.what() instanceof Task<?>);
    }

    /** Whether all is done already; nothing can be waited for, so it fails if not. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        if (!isTerminated()) {
            throw wouldWait("awaitTermination");
        }
        return true;
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) {
        throw wouldWait("invokeAll");
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) {
        throw wouldWait("invokeAll");
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) {
        throw wouldWait("invokeAny");
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) {
        throw wouldWait("invokeAny");
    }

    private static IllegalStateException wouldWait(String method) {
        return new IllegalStateException(method + " would wait for ever: tasks run after the one that waits; go on in"
            + " another task");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EventLoop loop && loop.owner == owner;
    }

    @Override
    public int hashCode() {
        return EventLoop.class.getName().hashCode();
    }
}
