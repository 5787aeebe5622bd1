import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * A sender with a {@link Batcher}, and a receiver of its batches.
 *
 * <p>Expected: verified.
 */
public class Batching extends Scenario {
    @Parameter int items = 4;

    record Item(int number) {}

    record Batch(List<Integer> items) {}

    /** The glue: the library gets the actor's event loop in place of a thread's, and a sink that sends. */
    static class Sender extends Actor {
        private final Batcher<Integer> batcher;
        private final int items;

        Sender(ActorName receiver, int items) {
            this.items = items;
            batcher = new Batcher<>(eventLoop(), 3, batch -> send(receiver, new Batch(batch)));
        }

        @Override
        protected void start() {
            send(self(), new Item(1));
        }

        @Handler
        void on(Item item) {
            batcher.add(item.number());
            if (item.number() < items) {
                send(self(), new Item(item.number() + 1));
            }
        }
    }

    static class Receiver extends Actor {
        private final List<Integer> received = new ArrayList<>();

        @Handler
        void on(Batch batch) {
            received.addAll(batch.items());
        }
    }

    @Override
    protected void setUp() {
        ActorName receiver = create("receiver", new Receiver());
        create("sender", new Sender(receiver, items));
    }

    @Invariant("no item comes twice")
    boolean once() {
        return actors(Receiver.class).allMatch(r -> r.received.stream().distinct().count() == r.received.size());
    }

    @Override
    protected boolean expectFinal() {
        return actors(Receiver.class).allMatch(r -> r.received.size() == items);
    }
}
