import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A lock server around {@link LockTable}, with clients that take one lock each and give it back.
 *
 * <p>Expected: verified.
 */
public class LockService extends Scenario {
    @Parameter int clients = 3;

    record Acquire(String lock) {}

    record Release(String lock) {}

    record Granted(String lock) {}

    /** The glue: messages become calls, and what a call returns becomes messages. */
    static class Server extends Actor {
        private final LockTable table = new LockTable();
        private final Map<String, ActorName> clients = new HashMap<>();

        @Handler
        void on(Acquire m, ActorName from) {
            clients.put(from.toString(), from);
            tell(table.acquire(from.toString(), m.lock()));
        }

        @Handler
        void on(Release m, ActorName from) {
            tell(table.release(from.toString(), m.lock()));
        }

        private void tell(List<LockTable.Grant> grants) {
            grants.forEach(g -> send(clients.get(g.client()), new Granted(g.lock())));
        }
    }

    static class Client extends Actor {
        private final ActorName server;
        private boolean holds;

        Client(ActorName server) {
            this.server = server;
        }

        @Override
        protected void start() {
            send(server, new Acquire("door"));
        }

        @Handler
        void on(Granted m) {
            holds = true;
            send(self(), new Release(m.lock())); // it works for as long as this takes
        }

        @Handler
        void on(Release m) {
            holds = false;
            send(server, m);
        }
    }

    @Override
    protected void setUp() {
        ActorName server = create("server", new Server());
        create("client", clients, i -> new Client(server));
    }

    @Invariant("at most one client holds the lock")
    boolean exclusive() {
        return actors(Client.class).filter(c -> c.holds).count() <= 1;
    }

    @Override
    protected boolean expectFinal() {
        return actors(Client.class).noneMatch(c -> c.holds);
    }
}
