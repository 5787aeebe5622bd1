package abp;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The alternating-bit protocol (Bartlett, Scantlebury and Wilkinson, 1969): one value after another goes over a network
 * that loses and duplicates messages but keeps their order. A timer has the sender repeat what may be lost.
 *
 * <p>Expected: verified.
 */
public class AlternatingBit extends Scenario {
    record Data(boolean bit, int value) {}

    record Ack(boolean bit) {}

    record Repeat() {}

    /** Sends the values 0, 1, 2 and so on, the next one when the last one was acknowledged. */
    static final class Sender extends Actor {
        private final ActorName receiver;
        private final int values;
        private int repeats;
        private int value;
        private boolean bit;

        Sender(ActorName receiver, int values, int repeats) {
            this.receiver = receiver;
            this.values = values;
            this.repeats = repeats;
        }

        @Override
        protected void start() {
            transmit();
        }

        private void transmit() {
            if (value < values) {
                send(receiver, new Data(bit, value));
                setTimer(new Repeat(), Duration.ofMillis(100));
            } else {
                cancelTimer(new Repeat());
            }
        }

        @Handler(when = "mayRepeat")
        void on(Repeat t) {
            repeats--;
            transmit();
        }

        boolean mayRepeat() {
            return repeats > 0; // otherwise there would be no end of messages
        }

        @Handler
        void on(Ack m) {
            if (m.bit() == bit) {
                bit = !bit;
                value++;
                transmit();
            }
        }
    }

    /** Takes each value once, and acknowledges every message. */
    protected static class Receiver extends Actor {
        private final List<Integer> received = new ArrayList<>();
        private boolean expected;

        @Handler
        void on(Data m) {
            if (isNew(m.bit(), expected)) {
                received.add(m.value());
                expected = !m.bit();
            }
            reply(new Ack(m.bit()));
        }

        /** Whether a message is no repetition. */
        protected boolean isNew(boolean bit, boolean expected) {
            return bit == expected;
        }
    }

    @Parameter("how many values are sent")
    protected int values = 3;

    @Parameter("how often the sender repeats something, all together")
    protected int repeats = 3;

    @Parameter("how many messages may get lost")
    protected int losses = 2;

    @Parameter("how often a message may arrive twice")
    protected int duplicates = 2;

    @Override
    protected void setUp() {
        ActorName receiver = create("receiver", receiver());
        create("sender", new Sender(receiver, values, repeats));
        network().fifo().lossy(losses).duplicating(duplicates);
    }

    /** The receiver; the wrong version has another one. */
    protected Receiver receiver() {
        return new Receiver();
    }

    @Invariant("values arrive in order, and each once")
    boolean order() {
        return actors(Receiver.class).allMatch(r -> {
            for (int i = 0; i < r.received.size(); i++) {
                if (r.received.get(i) != i) {
                    return false;
                }
            }
            return true;
        });
    }
}
