package harrier.host;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A task that was handed to an actor's event loop, and its result.
 *
 * @param <V> what the task gives
 */
public final class Task<V> implements RunnableScheduledFuture<V> {
    private enum State { PENDING, DONE, FAILED, CANCELLED }

    /** How tasks find the agenda of their actor. */
    public interface Agendas {
        /** The actor's agenda for {@code method} to change; fails if what runs must only read. */
        Agenda changing(Object actor, String method);
    }

    private static Agendas agendas;

    private final Object owner;
    private final Object body;
    private final boolean isAsked;
    private final boolean isDelayed;
    private final long period;
    private State state = State.PENDING;
    private V result;
    private Exception failure;

    /**
     * A new task.
     *
     * @param owner the actor
     * @param body a {@link Runnable}, or a {@link Callable} of V
     * @param isAsked whether somebody holds the future, and with it the exception that the task ends with
     * @param isDelayed whether it runs some time later
     * @param period after how many nanoseconds it runs again; less than 0 if it does not
     * @param result what a {@link Runnable} gives
     */
    public Task(Object owner, Object body, boolean isAsked, boolean isDelayed, long period, V result) {
        this.owner = owner;
        this.body = body;
        this.isAsked = isAsked;
        this.isDelayed = isDelayed;
        this.period = period;
        this.result = result;
    }

    /** Says how agendas are found, before there are tasks. */
    public static void reach(Agendas newAgendas) {
        agendas = newAgendas;
    }

    /** The agenda of an actor whose constructor runs. */
    static Agenda agenda(Object actor, String method) {
        return agendas.changing(actor, method);
    }

    /** The action handed to the loop. */
    public Object body() {
        return body;
    }

    /** Whether it runs again and again. */
    @Override
    public boolean isPeriodic() {
        return period >= 0;
    }

    /**
     * Runs the task, which was taken off the agenda. An exception is kept if somebody can ask for it; an
     * error, such as that of an assertion, is not.
     */
    @Override
    public void run() {
        try {
            runBody();
        } catch (Exception e) {
            if (!isAsked) {
                throw Thrown.asItIs(e);
            }
            if (state == State.PENDING) { // or else it cancelled itself, which stays so
                failure = e;
                state = State.FAILED;
            }
            return;
        }
        if (Frames.isLeft()) {
            Threads.waitsIn(this);
            return;
        }
        if (state == State.CANCELLED) {
            return;
        }
        Agenda agenda = agendas.changing(owner, "run");
        if (!isPeriodic()) {
            state = State.DONE;
        } else if (agenda.shutDown) {
            state = State.CANCELLED;
        } else {
            agenda.delay(this, period, period);
        }
    }

    @SuppressWarnings("unchecked")
    private void runBody() throws Exception {
        if (body instanceof Callable<?> callable) {
            result = (V) callable.call();
        } else {
            ((Runnable) body).run();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return false;
        }
        Agenda agenda = agendas.changing(owner, "cancel");
        agenda.tasks.removeIf(t -> t == this);
        agenda.delayed.removeIf(d -> d.what() == this);
        state = State.CANCELLED;
        return true;
    }

    @Override
    public boolean isCancelled() {
        return state == State.CANCELLED;
    }

    @Override
    public boolean isDone() {
        return state != State.PENDING;
    }

    @Override
    public V get() throws ExecutionException {
        return switch (state) {
            case DONE -> result;
            case FAILED -> throw new ExecutionException(failure);
            case CANCELLED -> throw new CancellationException();
            case PENDING -> throw new IllegalStateException("get() would wait for ever: the task has not run, and runs on"
                + " the event loop of the actor that asks; ask isDone() first, or go on in another task");
        };
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws ExecutionException {
        return get();
    }

    /** Is refused unless the task is due: how long it still takes is not part of any state. */
    @Override
    public long getDelay(TimeUnit unit) {
        if (isDone() || !isDelayed) {
            return 0;
        }
        throw Hooks.control("a task").refused("asks how long a task still has to wait",
            "that is not known, as any moment that its delay allows is explored: keep when it is due in a field of the actor");
    }

    @Override
    public int compareTo(Delayed other) {
        return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
}
