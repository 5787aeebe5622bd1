package harrier;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * An actor's clock. It stands still until the program moves it, so what a step reads from it follows from the
 * actor's state. It starts at 1970-01-01T00:00:00Z, or where the scenario said, and starts there again after a
 * crash. Timers and scheduled tasks do not move it.
 *
 * @see <a href="{@docRoot}/guide.html#timers">Guide: timers</a>
 */
public final class LogicalClock extends Clock {
    private final Actor owner;
    private final String zone;

    LogicalClock(Actor owner, String zone) {
        this.owner = owner;
        this.zone = zone;
    }

    /** Moves the clock forward. Works where {@link Actor#send} does, and in constructors. */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("advance(" + by + "): a clock does not go back");
        }
        owner.changing("advance").now = instant().plus(by);
    }

    @Override
    public Instant instant() {
        return owner.now();
    }

    @Override
    public ZoneId getZone() {
        return ZoneId.of(zone);
    }

    /** The same clock, read in another time zone. */
    @Override
    public LogicalClock withZone(ZoneId other) {
        return new LogicalClock(owner, other.getId());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogicalClock clock && clock.owner == owner && clock.zone.equals(zone);
    }

    @Override
    public int hashCode() {
        return zone.hashCode();
    }

    @Override
    public String toString() {
        return "LogicalClock[" + zone + "]";
    }
}
