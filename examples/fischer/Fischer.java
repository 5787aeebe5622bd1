package fischer;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;

/**
 * Fischer's mutual exclusion (Lamport: "A Fast Mutual Exclusion Algorithm", 1987), with a register and messages that take no time. A process
 * that finds the register free writes its name there within {@code delta} ticks. It waits for {@code epsilon} ticks, and enters if its name
 * is still there.
 *
 * <p>Expected: verified; violated with {@code --set delta=2}, or any other delta that is not less than epsilon, and with
 * {@code --set drift=1}, by which clocks may run 2 ticks slower and faster. Then {@code --set drift=1,epsilon=6} is verified, and
 * {@code --set drift=1,epsilon=5} violated.
 */
public final class Fischer extends Scenario {
    record Read() {}

    record Free() {}

    record Write(ActorName owner) {}

    record Check() {}

    record Owner(ActorName owner) {}

    record Writes() {}

    record Waited() {}

    record Begins() {}

    /** What all processes read and write. */
    static final class Register extends Actor {
        private ActorName owner;

        @Handler(when = "isFree")
        void on(Read m) {
            reply(new Free());
        }

        boolean isFree() {
            return owner == null;
        }

        @Handler
        void on(Write m) {
            owner = m.owner();
        }

        @Handler
        void on(Check m) {
            reply(new Owner(owner));
        }
    }

    /** Enters once. */
    static final class Process extends Actor {
        private final ActorName register;
        private final Duration delta;
        private final Duration epsilon;
        private boolean isInside;

        Process(ActorName register, Duration delta, Duration epsilon) {
            this.register = register;
            this.delta = delta;
            this.epsilon = epsilon;
        }

        @Override
        protected void start() {
            setTimer(new Begins(), Duration.ZERO, Duration.ofMillis(1));
        }

        @Handler
        void on(Begins t) {
            send(register, new Read());
        }

        @Handler
        void on(Free m) {
            setTimer(new Writes(), Duration.ZERO, delta);
        }

        @Handler
        void on(Writes t) {
            send(register, new Write(self()));
            setTimer(new Waited(), epsilon);
        }

        @Handler
        void on(Waited t) {
            send(register, new Check());
        }

        @Handler
        void on(Owner m) {
            if (self().equals(m.owner())) {
                isInside = true;
            } else {
                send(register, new Read());
            }
        }

        boolean isInside() {
            return isInside;
        }

        @Internal(when = "isInside")
        void leave() {
            isInside = false;
            send(register, new Write(null));
        }
    }

    @Parameter int processes = 2;
    @Parameter int delta = 1;
    @Parameter int epsilon = 2;
    @Parameter int drift = 0;
    @Parameter int horizon = 10;

    @Override
    protected void setUp() {
        Duration tick = Duration.ofMillis(1);
        clocks().tick(tick).within(tick.multipliedBy(drift)).until(tick.multipliedBy(horizon));
        network().delay(Duration.ZERO).fifo();
        ActorName register = create("register", new Register());
        create("process", processes, i -> new Process(register, tick.multipliedBy(delta), tick.multipliedBy(epsilon)));
    }

    @Invariant("one process is inside")
    boolean excludes() {
        return actors(Process.class).filter(p -> p.isInside).count() <= 1;
    }
}
