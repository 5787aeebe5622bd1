package prevote;

import harrier.Actor;
import harrier.ActorName;
import harrier.Eventually;
import harrier.Handler;
import harrier.Internal;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * An election of two nodes with a vote before the vote, as Raft has it to spare its followers: a node that would stand asks the other
 * one first, and stands only if that does not object. A node that would stand itself objects. So both may ask, object and ask again
 * for ever, however fair the network is. Where the node with the lower id gives way, one of them is elected.
 *
 * <p>Expected: violated (somebody is elected); verified with {@code --set yields=true}.
 */
public final class PreVote extends Scenario {
    record MayI(int id) {}

    record Answer(boolean granted) {}

    enum Role { FOLLOWER, ASKING, LEADER }

    /** A node that may come to lead. */
    static final class Node extends Actor {
        private final int id;
        private final ActorName other;
        private final boolean yields;
        private Role role = Role.FOLLOWER;
        /** Whether it granted the other's wish, and does not stand any more. */
        private boolean granted;

        Node(int id, ActorName other, boolean yields) {
            this.id = id;
            this.other = other;
            this.yields = yields;
        }

        @Internal(when = "idle")
        void ask() {
            role = Role.ASKING;
            send(other, new MayI(id));
        }

        boolean idle() {
            return role == Role.FOLLOWER && !granted;
        }

        @Handler
        void on(MayI m) {
            granted = role == Role.FOLLOWER || yields && role == Role.ASKING && m.id() > id;
            reply(new Answer(granted));
        }

        @Handler
        void on(Answer m) {
            role = m.granted() && !granted ? Role.LEADER : Role.FOLLOWER;
        }
    }

    @Parameter("whether the node with the lower id gives way")
    boolean yields;

    @Override
    protected void setUp() {
        List<ActorName> all = names("node", 2);
        create("node", 2, i -> new Node(i + 1, all.get(1 - i), yields));
    }

    @Eventually("somebody is elected")
    boolean elected() {
        return actors(Node.class).anyMatch(n -> n.role == Role.LEADER);
    }
}
