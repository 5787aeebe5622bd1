package service;

import harrier.Actor;
import harrier.ActorName;
import harrier.AlwaysEventually;
import harrier.Handler;
import harrier.Internal;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that ask a server again and again, which answers one after the other, beside an actor that never rests. Each client is
 * answered if messages are delivered and the server is not kept from working.
 *
 * <p>Expected: verified; violated (the client does not wait for ever) with {@code --set forgets=true}.
 */
public final class Service extends Scenario {
    record Request(ActorName client) {}

    record Answer() {}

    /** Asks, and asks again when it was answered. */
    static final class Client extends Actor {
        private final ActorName server;
        private boolean waiting;

        Client(ActorName server) {
            this.server = server;
        }

        @Internal(when = "idle")
        void ask() {
            waiting = true;
            send(server, new Request(self()));
        }

        boolean idle() {
            return !waiting;
        }

        @Handler
        void on(Answer m) {
            waiting = false;
        }
    }

    /** Works for the first client of its queue, or for nobody if that is empty. */
    static final class Server extends Actor {
        private final boolean forgets;
        private final List<ActorName> queue = new ArrayList<>();

        Server(boolean forgets) {
            this.forgets = forgets;
        }

        @Handler
        void on(Request m) {
            if (!forgets || queue.isEmpty()) {
                queue.add(m.client());
            }
        }

        @Internal(when = "busy")
        void finish() {
            send(queue.remove(0), new Answer());
        }

        boolean busy() {
            return !queue.isEmpty();
        }
    }

    /** Goes up and down for ever. */
    static final class Background extends Actor {
        private boolean up;

        @Internal(when = "down")
        void rise() {
            up = true;
        }

        @Internal(when = "up")
        void fall() {
            up = false;
        }

        boolean up() {
            return up;
        }

        boolean down() {
            return !up;
        }
    }

    @Parameter("how many clients")
    int clients = 3;

    @Parameter("whether the server forgets who asks while it is busy")
    boolean forgets;

    @Override
    protected void setUp() {
        ActorName server = create("server", new Server(forgets));
        create("client", clients, i -> new Client(server));
        create("background", new Background());
    }

    @AlwaysEventually("the client does not wait for ever")
    boolean served(Client c) {
        return !c.waiting;
    }
}
