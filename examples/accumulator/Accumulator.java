package accumulator;

import harrier.Actor;
import harrier.ActorName;
import harrier.Final;
import harrier.Handler;
import harrier.Internal;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * The accumulator of Guo and others, "Practical Software Model Checking via Dynamic Interface Reduction" (SOSP 2011),
 * figure 1: a client sends one of two sequences of numbers to a primary server, which adds them up and forwards them to a
 * secondary. Each server writes its sum to disk once, before, between or after them, which nobody else can see.
 *
 * <p>Expected: verified.
 */
public final class Accumulator extends Scenario {
    record Number(int value) {}

    /** Sends 1, 2, ... to the primary; the last number depends on a choice. */
    static final class Client extends Actor {
        private final ActorName primary;
        private final int numbers;
        private final int sequences;
        private boolean sent;

        Client(ActorName primary, int numbers, int sequences) {
            this.primary = primary;
            this.numbers = numbers;
            this.sequences = sequences;
        }

        @Internal(when = "idle")
        void begin() {
            sent = true;
            int chosen = choose(sequences);
            for (int i = 1; i < numbers; i++) {
                send(primary, new Number(i));
            }
            send(primary, new Number(numbers + chosen));
        }

        boolean idle() {
            return !sent;
        }
    }

    /** Adds up what it receives, and forwards it. */
    static final class Server extends Actor {
        private final List<ActorName> secondaries;
        private int sum;
        private int written = -1;

        Server(List<ActorName> secondaries) {
            this.secondaries = secondaries;
        }

        @Handler
        void on(Number n) {
            sum += n.value();
            send(secondaries, n);
        }

        @Internal(when = "isDirty")
        void checkpoint() {
            written = sum;
        }

        boolean isDirty() {
            return written < 0;
        }
    }

    @Parameter("how many servers, the primary included")
    int servers = 2;

    @Parameter("how many numbers the client sends")
    int numbers = 2;

    @Parameter("of how many sequences the client chooses one")
    int sequences = 2;

    @Override
    protected void setUp() {
        List<ActorName> secondaries = create("secondary", servers - 1, i -> new Server(List.of()));
        ActorName primary = create("primary", new Server(secondaries));
        create("client", new Client(primary, numbers, sequences));
        network().fifo();
    }

    @Final("all servers have the same sum, and have written one")
    boolean sums() {
        return actors(Server.class).map(s -> s.sum).distinct().count() == 1 && actors(Server.class).allMatch(s -> s.written >= 0);
    }
}
