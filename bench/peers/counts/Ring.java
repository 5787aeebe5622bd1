import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * The election of Chang and Roberts, "An Improved Algorithm for Decentralized Extrema-Finding in Circular Configurations of Processes"
 * (CACM, 1979): of those that begin it, the node with the least number wins. Nodes that do not begin pass on what they get.
 *
 * <p>Expected: verified.
 */
public final class Ring extends Scenario {
    record Candidate(int number) {}

    enum State { CANDIDATE, LOST, WON }

    static final class Node extends Actor {
        private final int number;
        private final ActorName next;
        private final boolean initiator;
        private boolean begun;
        private State state;

        Node(int number, ActorName next, boolean initiator) {
            this.number = number;
            this.next = next;
            this.initiator = initiator;
            state = initiator ? State.CANDIDATE : State.LOST;
        }

        boolean waits() {
            return !begun;
        }

        boolean begun() {
            return begun;
        }

        @Internal(when = "waits")
        void begin() {
            begun = true;
            if (initiator) {
                send(next, new Candidate(number));
            }
        }

        @Handler(when = "begun")
        void on(Candidate m) {
            if (state == State.LOST || m.number() < number) {
                state = State.LOST;
                send(next, m);
            } else if (m.number() == number) {
                state = State.WON;
            }
        }
    }

    @Parameter("how many nodes")
    int n = 3;

    @Parameter("which nodes begin: 1 for the first, 2 for the second, 4 for the third, or a sum of these")
    int initiators = 7;

    @Override
    protected void setUp() {
        List<ActorName> all = names("node", n);
        create("node", n, i -> new Node(i, all.get((i + 1) % n), (initiators >> i & 1) == 1));
    }

    @Invariant("who wins began, all others have lost, and none with a smaller number began")
    boolean correct() {
        return actors(Node.class).allMatch(w -> w.state != State.WON || w.initiator
                && actors(Node.class).allMatch(o -> o == w || o.state == State.LOST && (!o.initiator || o.number > w.number)));
    }
}
