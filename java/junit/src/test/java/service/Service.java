package service;

import harrier.Actor;
import harrier.ActorName;
import harrier.Eventually;
import harrier.Handler;
import harrier.Scenario;
import java.time.Duration;

/** A server that is always busy, so its client asks for ever. How often does not matter. Expected: violated. */
public final class Service extends Scenario {
    record Ask(int n) {}

    record Busy() {}

    record Retry() {}

    static final class Client extends Actor {
        private final ActorName server;
        private int asked;

        Client(ActorName server) {
            this.server = server;
        }

        @Override protected void start() {
            send(server, new Ask(++asked));
        }

        @Handler void on(Busy busy) {
            setTimer(new Retry(), Duration.ofSeconds(1));
        }

        @Handler void on(Retry retry) {
            send(server, new Ask(++asked));
        }
    }

    static final class Server extends Actor {
        boolean isDone;

        @Handler void on(Ask ask) {
            System.out.println(ask);
            reply(new Busy());
        }
    }

    @Override protected void setUp() {
        create("client", new Client(create("server", new Server())));
    }

    @Eventually("the server is done")
    boolean isDone() {
        return actors(Server.class).allMatch(s -> s.isDone);
    }
}
