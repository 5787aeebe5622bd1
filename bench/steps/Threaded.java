import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Scenario;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A server that adds numbers up by a thread, as {@link Handled} does by handlers: what {@code make bench-steps} measures. */
public final class Threaded extends Scenario {
    record Add(int number) {}

    record Sum(int sum) {}

    static final class Server extends Actor {
        private final ActorName client;
        private final BlockingQueue<Integer> numbers = new LinkedBlockingQueue<>();
        private int sum;

        Server(ActorName client) {
            this.client = client;
        }

        @Override
        protected void start() {
            new Thread(this::addUp, "adds").start();
        }

        private void addUp() {
            try {
                while (true) {
                    int first = numbers.take();
                    sum = (sum + first * numbers.take()) % 1000;
                    send(client, new Sum(sum));
                }
            } catch (InterruptedException e) {
                sum = -1;
            }
        }

        @Handler(when = "isFree")
        void on(Add m) {
            numbers.add(m.number());
        }

        boolean isFree() {
            return numbers.isEmpty();
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
