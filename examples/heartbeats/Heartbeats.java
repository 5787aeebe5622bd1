package heartbeats;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;
import java.util.List;

/**
 * A leader sends heartbeats, and a follower that hears none for as long as an election time-out begins an election. Heartbeats that arrive
 * reset the time-out by the clock: it is over when {@code clock()} shows so.
 *
 * <p>Expected: verified: nobody begins an election while heartbeats arrive. Violated with {@code --set resets=false}, as the time-out is
 * then that of the first heartbeat, and with {@code --set timeOut=2}, which is not longer than a heartbeat takes.
 */
public final class Heartbeats extends Scenario {
    record Heartbeat() {}

    record Beats() {}

    record Looks() {}

    /** Sends heartbeats. */
    static final class Leader extends Actor {
        private final List<ActorName> followers;
        private final Duration period;

        Leader(List<ActorName> followers, Duration period) {
            this.followers = followers;
            this.period = period;
        }

        @Override
        protected void start() {
            on(new Beats());
        }

        @Handler
        void on(Beats t) {
            send(followers, new Heartbeat());
            setTimer(new Beats(), period);
        }
    }

    /** Looks now and then whether the leader was silent for too long. */
    static final class Follower extends Actor {
        private final Duration timeOut;
        private final boolean resets;
        private long heard;
        private boolean elects;

        Follower(Duration timeOut, boolean resets) {
            this.timeOut = timeOut;
            this.resets = resets;
        }

        @Override
        protected void start() {
            heard = System.currentTimeMillis();
            setTimer(new Looks(), timeOut);
        }

        @Handler
        void on(Heartbeat m) {
            if (resets) {
                heard = System.currentTimeMillis();
            }
        }

        @Handler
        void on(Looks t) {
            Duration silent = Duration.ofMillis(System.currentTimeMillis() - heard);
            if (silent.compareTo(timeOut) >= 0) {
                elects = true;
            } else {
                setTimer(new Looks(), timeOut.minus(silent));
            }
        }
    }

    @Parameter int followers = 2;
    @Parameter int period = 1;
    @Parameter int delay = 1;
    @Parameter int timeOut = 3;
    @Parameter int drift = 0;
    @Parameter int horizon = 7;
    @Parameter boolean resets = true;

    @Override
    protected void setUp() {
        Duration tick = Duration.ofMillis(50);
        clocks().tick(tick).within(tick.multipliedBy(drift)).until(tick.multipliedBy(horizon));
        network().delay(tick.multipliedBy(delay)).fifo();
        faults().stops(1, "leader");
        List<ActorName> all = create("follower", followers, i -> new Follower(tick.multipliedBy(timeOut), resets));
        create("leader", new Leader(all, tick.multipliedBy(period)));
    }

    @Invariant("no election begins while the leader is up")
    boolean isCalm() {
        return actors(Leader.class).findAny().isEmpty() || actors(Follower.class).noneMatch(f -> f.elects);
    }
}
