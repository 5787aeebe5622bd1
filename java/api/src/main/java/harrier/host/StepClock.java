package harrier.host;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/** The clock that programs get instead of the system's: it tells the time of the step that asks it. */
public final class StepClock extends Clock {
    private final ZoneId zone;
    private final String place;

    StepClock(ZoneId zone, String place) {
        this.zone = zone;
        this.place = place;
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return new StepClock(other, place);
    }

    @Override
    public Instant instant() {
        return TimeHooks.now(place);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StepClock clock && clock.zone.equals(zone);
    }

    @Override
    public int hashCode() {
        return zone.hashCode();
    }

    @Override
    public String toString() {
        return "SystemClock[" + zone + "]";
    }
}
