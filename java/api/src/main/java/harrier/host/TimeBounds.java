package harrier.host;

import java.time.Duration;

/**
 * What a scenario says about time that goes on; null for what it does not say.
 *
 * @param tick the length of a round
 * @param drift by how much a clock may be ahead of the rounds, or behind
 * @param horizon how long time goes on
 * @param delay how long messages are in flight at most
 */
public record TimeBounds(Duration tick, Duration drift, Duration horizon, Duration delay) {
    /** Nothing was said. */
    public static final TimeBounds NONE = new TimeBounds(null, null, null, null);

    /** These bounds, and in the place of each that another one has, that. */
    public TimeBounds and(TimeBounds other) {
        return new TimeBounds(other.tick == null ? tick : other.tick, other.drift == null ? drift : other.drift,
            other.horizon == null ? horizon : other.horizon, other.delay == null ? delay : other.delay);
    }
}
