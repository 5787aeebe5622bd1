import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;

/**
 * Several players exchange pings and pongs with one wall. The smallest program to learn from: two
 * kinds of actor, two messages, a guard, an invariant and an expected end.
 *
 * <p>Expected: verified.
 */
public final class PingPong extends Scenario {
    record Ping(int round) {}

    record Pong(int round) {}

    /** Sends a ping, waits for its pong, and goes on for some rounds. */
    static final class Player extends Actor {
        private final ActorName wall;
        private final int rounds;
        private int round;

        Player(ActorName wall, int rounds) {
            this.wall = wall;
            this.rounds = rounds;
        }

        boolean isDone() {
            return round == rounds;
        }

        @Override
        protected void start() {
            send(wall, new Ping(round));
        }

        @Handler(when = "isMine")
        void on(Pong m) {
            round++;
            if (!isDone()) {
                send(wall, new Ping(round));
            }
        }

        boolean isMine(Pong m) {
            return m.round() == round;
        }
    }

    /** Returns every ping. */
    static final class Wall extends Actor {
        private int returned;

        int returned() {
            return returned;
        }

        @Handler
        void on(Ping m) {
            returned++;
            reply(new Pong(m.round()));
        }
    }

    @Parameter("how many players")
    int players = 2;

    @Parameter("how many pings each player sends")
    int rounds = 3;

    @Override
    protected void setUp() {
        ActorName wall = create("wall", new Wall());
        create("player", players, i -> new Player(wall, rounds));
    }

    @Invariant("the wall returns no more than it is sent")
    boolean balanced() {
        return actors(Wall.class).allMatch(w -> w.returned() <= players * rounds);
    }

    @Override
    protected boolean expectFinal() {
        return actors(Player.class).allMatch(Player::isDone);
    }
}
