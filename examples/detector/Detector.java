package detector;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;

/**
 * A failure detector that is perfect where its bound holds: a node tells it every {@code period} ticks that it is there, messages take
 * {@code delay} ticks at most, and the detector suspects a node of which it heard nothing for {@code timeOut} ticks.
 *
 * <p>Expected: verified, as the time-out is longer than period and delay together; violated with {@code --set timeOut=3}, as a message
 * that is late arrives at the moment of the time-out, and with {@code --set drift=1}, unless the time-out is longer by four ticks, as in
 * {@code --set drift=1,timeOut=8,horizon=10}.
 */
public final class Detector extends Scenario {
    record Alive() {}

    record Tells() {}

    record TimesOut() {}

    /** Tells the detector that it is there. */
    static final class Node extends Actor {
        private final ActorName detector;
        private final Duration period;

        Node(ActorName detector, Duration period) {
            this.detector = detector;
            this.period = period;
        }

        @Override
        protected void start() {
            on(new Tells());
        }

        @Handler
        void on(Tells t) {
            send(detector, new Alive());
            setTimer(new Tells(), period);
        }
    }

    /** Suspects a node that is silent. */
    static final class Watcher extends Actor {
        private final Duration timeOut;
        private boolean suspects;

        Watcher(Duration timeOut) {
            this.timeOut = timeOut;
        }

        @Override
        protected void start() {
            setTimer(new TimesOut(), timeOut);
        }

        @Handler
        void on(Alive m) {
            if (!suspects) {
                setTimer(new TimesOut(), timeOut);
            }
        }

        @Handler
        void on(TimesOut t) {
            suspects = true;
        }
    }

    @Parameter int period = 2;
    @Parameter int delay = 1;
    @Parameter int timeOut = 4;
    @Parameter int drift = 0;
    @Parameter int horizon = 12;

    @Override
    protected void setUp() {
        Duration tick = Duration.ofSeconds(1);
        clocks().tick(tick).within(tick.multipliedBy(drift)).until(tick.multipliedBy(horizon));
        network().delay(tick.multipliedBy(delay));
        faults().stops(1, "node");
        ActorName detector = create("detector", new Watcher(tick.multipliedBy(timeOut)));
        create("node", new Node(detector, tick.multipliedBy(period)));
    }

    @Invariant("a node that is suspected has stopped")
    boolean isAccurate() {
        return actors(Node.class).findAny().isEmpty() || actors(Watcher.class).noneMatch(w -> w.suspects);
    }
}
