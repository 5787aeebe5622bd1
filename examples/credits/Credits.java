package credits;

import harrier.Actor;
import harrier.ActorName;
import harrier.Final;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;

/**
 * A producer sends items to a consumer whose mailbox drops what comes when it is full. The producer has credits, one for each item that it
 * may send before the consumer has taken another one.
 *
 * <p>Expected: verified; violated with {@code --set credits=3}, as there are more credits than places in the mailbox, and with
 * {@code --set producers=2}, each of which has as many.
 */
public final class Credits extends Scenario {
    record Item(int number) {}

    record Credit() {}

    /** Sends items as long as it has credits. */
    static final class Producer extends Actor {
        private final ActorName consumer;
        private final int items;
        private int credits;
        private int sent;

        Producer(ActorName consumer, int items, int credits) {
            this.consumer = consumer;
            this.items = items;
            this.credits = credits;
        }

        @Override
        protected void start() {
            send();
        }

        private void send() {
            for (; credits > 0 && sent < items; credits--) {
                send(consumer, new Item(sent++));
            }
        }

        @Handler
        void on(Credit m) {
            credits++;
            send();
        }
    }

    /** Gives a credit for each item that it takes. */
    static final class Consumer extends Actor {
        private int taken;

        @Handler
        void on(Item m) {
            taken++;
            reply(new Credit());
        }
    }

    @Parameter("how many producers there are")
    int producers = 1;

    @Parameter("how many items each sends")
    int items = 5;

    @Parameter("how many credits each has")
    int credits = 2;

    @Parameter("how many items the mailbox holds")
    int mailbox = 2;

    @Override
    protected void setUp() {
        network().mailbox(mailbox, "consumer");
        ActorName consumer = create("consumer", new Consumer());
        create("producer", producers, i -> new Producer(consumer, items, credits));
    }

    @Invariant("no item is taken that was not sent")
    boolean sent() {
        return actors(Consumer.class).allMatch(c -> c.taken <= actors(Producer.class).mapToInt(p -> p.sent).sum());
    }

    @Final("all items are taken")
    boolean taken() {
        return actors(Consumer.class).allMatch(c -> c.taken == producers * items);
    }
}
