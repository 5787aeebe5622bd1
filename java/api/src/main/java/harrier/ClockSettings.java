package harrier;

import java.time.Instant;
import java.util.function.Consumer;

/**
 * Says where the actors' clocks start.
 *
 * @see <a href="{@docRoot}/guide.html#timers">Guide: timers</a>
 */
public final class ClockSettings {
    private final Consumer<Instant> start;

    ClockSettings(Consumer<Instant> start) {
        this.start = start;
    }

    /** The time that clocks show first; 1970-01-01T00:00:00Z without a word. Say it before actors are made. */
    public ClockSettings startsAt(Instant instant) {
        start.accept(instant);
        return this;
    }
}
