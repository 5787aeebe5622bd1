import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A counter that is called over a network that loses and duplicates messages. The client asks again until there is an
 * answer; the server remembers the last request of each client, so that it counts each once.
 *
 * <p>Expected: verified.
 */
public class AtMostOnce extends Scenario {
    @Parameter int clients = 1;
    @Parameter int requests = 2;

    record Add(int sequence) implements Node.Message {}

    record Sum(int sequence, int value) implements Node.Message {}

    record Retry(int sequence) implements Node.Timer {}

    static class Server extends Node {
        private final Map<ActorName, Sum> last = new HashMap<>();
        private int sum;

        @Override
        protected void init() {}

        @Override
        protected void handle(Message message, ActorName client) {
            Add add = (Add) message;
            Sum known = last.get(client);
            if (known == null || known.sequence() < add.sequence()) {
                sum++;
                last.put(client, new Sum(add.sequence(), sum));
            }
            if (last.get(client).sequence() == add.sequence()) {
                send(client, last.get(client));
            }
        }

        @Override
        protected void fired(Timer timer) {}
    }

    static class Client extends Node {
        private final ActorName server;
        private final int requests;
        private int sequence;
        private int done;

        Client(ActorName server, int requests) {
            this.server = server;
            this.requests = requests;
        }

        @Override
        protected void init() {
            next();
        }

        private void next() {
            if (sequence < requests) {
                sequence++;
                send(server, new Add(sequence));
                set(new Retry(sequence), 100);
            }
        }

        @Override
        protected void handle(Message message, ActorName from) {
            if (((Sum) message).sequence() == sequence && !isDone()) {
                done = sequence;
                next();
            }
        }

        @Override
        protected void fired(Timer timer) {
            if (((Retry) timer).sequence() == sequence && !isDone()) {
                send(server, new Add(sequence));
                set(timer, 100);
            }
        }

        private boolean isDone() {
            return done == requests;
        }
    }

    @Override
    protected void setUp() {
        ActorName server = create("server", new Server());
        create("client", clients, i -> new Client(server, requests));
        network().lossy().duplicating();
    }

    @Invariant("each request counts once")
    boolean once() {
        int asked = actors(Client.class).mapToInt(c -> c.sequence).sum();
        return actors(Server.class).allMatch(s -> s.sum <= asked);
    }
}
