package harrier.host;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What an actor is to do by itself, and the time on its clock: the part of its local state that no field
 * holds. All but the number of draws is lost in a crash.
 */
public final class Agenda {
    /** Timers and scheduled tasks that are pending, the latest set last. */
    public final List<Delayed> delayed = new ArrayList<>();
    /** Tasks that wait for their turn, the first to come first. */
    public final List<Task<?>> tasks = new ArrayList<>();
    /** Whether the actor's event loop takes no tasks any more. */
    public boolean shutDown;
    /** The time on the actor's clock; null as long as it is where clocks start. */
    public Instant now;
    /** When timers set now begin to wait. All timers that one step sets begin at one moment, in a new agenda at 0. */
    public int moment;
    /**
     * How many random values were drawn, where each is to differ from the others; 0 elsewhere. It survives a crash, so that a value drawn
     * after it is new.
     */
    public long draws;

    /** Sets a timer, or schedules a task. */
    public void delay(Object what, long min, long max) {
        delayed.add(new Delayed(what, min, max, moment));
    }

    /**
     * A timer or a scheduled task.
     *
     * @param what a {@link Task}, or else the timer's value
     * @param min after how many nanoseconds it may fire
     * @param max after how many nanoseconds it must fire
     * @param moment when it began to wait: of two moments, the later one has the larger number
     */
    public record Delayed(Object what, long min, long max, int moment) {}
}
