package harrier;

import harrier.host.TimeBounds;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Has time go on by itself, in rounds: in each, all clocks go on by one tick. Say it before actors are created:
 *
 * <pre>{@code
 * clocks().tick(Duration.ofMillis(100))     // the length of a round
 *     .within(Duration.ofMillis(100))       // each clock is at most so much ahead of the rounds, or behind
 *     .until(Duration.ofSeconds(2));        // a run has 20 rounds at most
 * }</pre>
 *
 * <p>A round begins when no timer has to fire, no task waits, no thread is ready, and no message is in flight that has to arrive
 * ({@link Network#delay}); nothing happens within it. {@link Actor#clock}, {@code System.currentTimeMillis} and the like show the clock of the actor. A
 * timer fires when that has gone on by its duration, before it goes on further.
 *
 * @see <a href="{@docRoot}/guide.html#time">Guide: time</a>
 */
public final class Clocks {
    private final Consumer<TimeBounds> say;

    Clocks(Consumer<TimeBounds> say) {
        this.say = say;
    }

    /** How long a round takes, by which clocks go on at once. Durations count in ticks, rounded up. */
    public Clocks tick(Duration tick) {
        say.accept(new TimeBounds(tick, null, null, null));
        return this;
    }

    /**
     * By how much a clock may be ahead of the number of rounds, or behind: in a round it goes on by one tick, or by none or two within
     * that bound. Two clocks differ by twice as much at most. Without it clocks do not drift.
     */
    public Clocks within(Duration drift) {
        say.accept(new TimeBounds(null, drift, null, null));
        return this;
    }

    /** How long time goes on: the horizon of what a verdict is about. Runs end there, in states in which final conditions must hold. */
    public Clocks until(Duration horizon) {
        say.accept(new TimeBounds(null, null, horizon, null));
        return this;
    }
}
