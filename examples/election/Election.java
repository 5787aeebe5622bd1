package election;

import harrier.Actor;
import harrier.ActorName;
import harrier.Eventually;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;
import java.util.List;

/**
 * Election in a ring (Chang and Roberts, CACM 1979) over channels that lose messages. A candidacy goes round the ring past nodes with
 * smaller ids; who gets its own back is elected, and tells the others. A node that knows no leader stands again when its timer fires.
 *
 * <p>The election ends if channels do not lose all that is sent again and again, which is a strong fairness. Without it every message
 * may be lost.
 *
 * <p>Expected: verified; violated with {@code --set strong=false}, but verified with {@code --set strong=false --set lossy=false}.
 */
public final class Election extends Scenario {
    record Candidate(int id) {}

    record Elected(int id) {}

    record Again() {}

    /** A node of the ring. */
    static final class Node extends Actor {
        private static final Duration PATIENCE = Duration.ofSeconds(1);

        private final int id;
        private final ActorName next;
        /** The id of the leader, 0 as long as it is not known. */
        private int leader;

        Node(int id, ActorName next) {
            this.id = id;
            this.next = next;
        }

        @Override
        protected void start() {
            stand();
        }

        private void stand() {
            send(next, new Candidate(id));
            setTimer(new Again(), PATIENCE);
        }

        @Handler
        void on(Again m) {
            if (leader == 0) {
                stand();
            }
        }

        @Handler
        void on(Candidate m) {
            if (m.id() == id && leader == 0) {
                leader = id;
            }
            if (leader == id) {
                send(next, new Elected(id));
            } else if (m.id() > id || leader != 0) {
                send(next, m);
            }
        }

        @Handler
        void on(Elected m) {
            leader = m.id();
            if (m.id() != id) {
                send(next, m);
            }
        }
    }

    @Parameter("how many nodes are in the ring")
    int nodes = 3;

    @Parameter("whether channels lose messages")
    boolean lossy = true;

    @Parameter("whether what is sent again and again is received again and again")
    boolean strong = true;

    @Override
    protected void setUp() {
        List<ActorName> all = names("node", nodes);
        create("node", nodes, i -> new Node(i + 1, all.get((i + 1) % nodes)));
        network().duplicating(); // copies make no difference here, and keep the channels finite
        if (lossy) {
            network().lossy();
        }
        if (strong) {
            fairness().strong();
        }
    }

    @Invariant("nodes do not disagree on the leader")
    boolean agreement() {
        return actors(Node.class).mapToInt(n -> n.leader).filter(l -> l != 0).distinct().count() <= 1;
    }

    @Eventually("every node knows the leader")
    boolean elected() {
        return actors(Node.class).allMatch(n -> n.leader != 0);
    }
}
