import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * A token goes round a ring. Who has it may work.
 *
 * <p>Expected: verified.
 */
public final class Ring extends Scenario {
    record Token() {}

    static final class Node extends Actor {
        private final ActorName next;
        private boolean works;

        Node(ActorName next) {
            this.next = next;
        }

        @Handler
        void on(Token t) {
            works = true;
        }

        @Internal(when = "works")
        void pass() {
            works = false;
            send(next, new Token());
        }

        boolean works() {
            return works;
        }
    }

    @Parameter int nodes = 4;

    @Override
    protected void setUp() {
        List<ActorName> all = names("node", nodes);
        create("node", nodes, i -> new Node(all.get((i + 1) % nodes)));
        send(all.get(0), new Token());
    }

    @Invariant("one node works at a time")
    boolean exclusion() {
        return actors(Node.class).filter(Node::works).count() <= 1;
    }
}
