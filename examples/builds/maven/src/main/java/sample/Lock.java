package sample;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;

/** Clients that share a lock. Expected: verified. */
public class Lock extends Scenario {
    record Acquire() {}

    record Granted() {}

    record Release() {}

    /** Grants the lock to one client at a time; others come back. */
    static class Server extends Actor {
        ActorName holder;

        @Handler void on(Acquire m, ActorName sender) {
            if (mayGrant(sender)) {
                holder = sender;
                reply(new Granted());
            }
        }

        @Handler void on(Release m, ActorName sender) {
            if (sender.equals(holder)) {
                holder = null;
            }
        }

        boolean mayGrant(ActorName client) {
            return holder == null;
        }
    }

    /** Asks for the lock, and holds it once. */
    static final class Client extends Actor {
        private final ActorName server;
        boolean holds;

        Client(ActorName server) {
            this.server = server;
        }

        @Override protected void start() {
            send(server, new Acquire());
            send(self(), new Release());
        }

        @Handler void on(Granted m) {
            holds = true;
        }

        @Handler void on(Release m) {
            if (holds) {
                holds = false;
                send(server, new Release());
            }
        }
    }

    @Parameter int clients = 2;

    @Override protected void setUp() {
        var server = create("server", server());
        create("client", clients, i -> new Client(server));
    }

    Server server() {
        return new Server();
    }

    @Invariant("at most one client holds the lock")
    boolean exclusive() {
        return actors(Client.class).filter(c -> c.holds).count() <= 1;
    }
}
