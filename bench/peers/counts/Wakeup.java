import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Parameter;
import harrier.Scenario;

/**
 * Senders wake a waiter, which wakes the main actor when it has a message of each. The main actor has sent itself one before, and takes
 * one of the two. Without it, this is n senders and one receiver.
 *
 * <p>Expected: verified; 2 n! runs of --search stateless --por dynamic, n! with main=false.
 */
public final class Wakeup extends Scenario {
    record Start() {}

    record Done() {}

    record Value(int sender) {}

    static final class Waiter extends Actor {
        private final ActorName main; // null for none
        private final int senders;
        private int received;

        Waiter(ActorName main, int senders) {
            this.main = main;
            this.senders = senders;
        }

        @Handler
        void on(Value m) {
            received++;
            if (received == senders && main != null) {
                send(main, new Done());
            }
        }
    }

    static final class Sender extends Actor {
        private final ActorName waiter;
        private final int number;

        Sender(ActorName waiter, int number) {
            this.waiter = waiter;
            this.number = number;
        }

        @Override
        protected void start() {
            send(waiter, new Value(number));
        }
    }

    static final class Main extends Actor {
        private boolean taken;

        @Override
        protected void start() {
            send(self(), new Start());
        }

        @Handler(when = "waiting")
        void on(Start m) {
            taken = true;
        }

        @Handler(when = "waiting")
        void on(Done m) {
            taken = true;
        }

        boolean waiting() {
            return !taken;
        }
    }

    @Parameter("how many senders")
    int n = 8;

    @Parameter("whether there is a main actor")
    boolean main = true;

    @Override
    protected void setUp() {
        ActorName woken = main ? create("main", new Main()) : null;
        ActorName waiter = create("waiter", new Waiter(woken, n));
        create("sender", n, i -> new Sender(waiter, i));
    }
}
