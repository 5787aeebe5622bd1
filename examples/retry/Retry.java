package retry;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;

/**
 * A client asks a server over a network that loses messages. It asks again when it has waited for a second, and gives
 * up after ten. Both timers run from the start, so the second one fires last, if their durations count.
 *
 * <p>Expected: verified; violated with {@code --set inOrder=false}.
 */
public final class Retry extends Scenario {
    record Ask() {}

    record Answer() {}

    record AskAgain() {}

    record GiveUp() {}

    enum State { WAITING, ANSWERED, GAVE_UP }

    /** Asks until it has an answer, or no patience left. */
    static final class Client extends Actor {
        private final ActorName server;
        private int asked;
        private State state = State.WAITING;

        Client(ActorName server) {
            this.server = server;
        }

        @Override
        protected void start() {
            ask();
            setTimer(new AskAgain(), Duration.ofSeconds(1));
            setTimer(new GiveUp(), Duration.ofSeconds(10));
        }

        private void ask() {
            asked++;
            send(server, new Ask());
        }

        @Handler
        void on(AskAgain t) {
            ask();
        }

        @Handler
        void on(GiveUp t) {
            state = State.GAVE_UP;
        }

        @Handler
        void on(Answer m) {
            if (state == State.WAITING) {
                state = State.ANSWERED;
                cancelTimer(new AskAgain());
                cancelTimer(new GiveUp());
            }
        }

        boolean gaveUpEarly() {
            return state == State.GAVE_UP && asked < 2;
        }
    }

    /** Answers. */
    static final class Server extends Actor {
        @Handler
        void on(Ask m) {
            reply(new Answer());
        }
    }

    @Parameter("whether the durations of timers count")
    boolean inOrder = true;

    @Parameter("how many clients")
    int clients = 2;

    @Override
    protected void setUp() {
        if (inOrder) {
            timers().inOrder();
        }
        network().lossy();
        ActorName server = create("server", new Server());
        create("client", clients, i -> new Client(server));
    }

    @Invariant("nobody gives up who has not asked twice")
    boolean patience() {
        return actors(Client.class).noneMatch(Client::gaveUpEarly);
    }

    @Override
    protected boolean expectFinal() {
        return actors(Client.class).allMatch(c -> c.state != State.WAITING);
    }
}
