import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Scenario;

/** A server that adds numbers up by handlers, as {@link Threaded} does by a thread: what {@code make bench-steps} measures. */
public final class Handled extends Scenario {
    record Add(int number) {}

    record Sum(int sum) {}

    static final class Server extends Actor {
        private final ActorName client;
        private int sum;
        private int first = -1;

        Server(ActorName client) {
            this.client = client;
        }

        @Handler
        void on(Add m) {
            if (first < 0) {
                first = m.number();
                return;
            }
            sum = (sum + first * m.number()) % 1000;
            first = -1;
            send(client, new Sum(sum));
        }
    }

    static final class Client extends Actor {
        private int last;

        @Handler
        void on(Sum m) {
            last = m.sum();
        }
    }

    @Override
    protected void setUp() {
        ActorName server = create("server", new Server(create("client", new Client())));
        for (int i = 1; i <= 4; i++) {
            send(server, new Add(i));
        }
    }
}
