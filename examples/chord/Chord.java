package chord;

import harrier.Actor;
import harrier.ActorName;
import harrier.Final;
import harrier.Handler;
import harrier.Internal;
import harrier.Parameter;
import harrier.Scenario;

/**
 * Nodes join the ring of Stoica and others, "Chord" (SIGCOMM 2001): a new node asks the first one for its successor, which
 * it notifies, and each node asks its successor at most once or as often as told whether another node has come between them.
 *
 * <p>Expected: verified.
 */
public final class Chord extends Scenario {
    record Peer(ActorName name, int key) {}

    record Find(Peer who) {}

    record Found(Peer successor) {}

    record Notify(Peer who) {}

    record AskPredecessor() {}

    record Predecessor(Peer peer) {}

    /** Knows the nodes before and after it on the ring. */
    static final class Node extends Actor {
        private final int key;
        private final ActorName known;
        private int rounds;
        private Peer successor;
        private Peer predecessor;

        Node(int key, ActorName known, int rounds) {
            this.key = key;
            this.known = known;
            this.rounds = rounds;
        }

        @Override
        protected void start() {
            if (known == null) {
                successor = me();
            } else {
                send(known, new Find(me()));
            }
        }

        private Peer me() {
            return new Peer(self(), key);
        }

        /** Whether one comes to a key, going up from one key, before another, which may be the same. */
        private static boolean isBetween(int k, int from, int to) {
            return from < to ? from < k && k < to : from < k || k < to;
        }

        @Handler(when = "hasJoined")
        void on(Find m) {
            if (m.who().key() == successor.key() || isBetween(m.who().key(), key, successor.key())) {
                send(m.who().name(), new Found(successor));
            } else {
                send(successor.name(), m);
            }
        }

        boolean hasJoined(Find m) {
            return successor != null;
        }

        @Handler
        void on(Found m) {
            assert successor == null : "a node joins twice";
            successor = m.successor();
            send(successor.name(), new Notify(me()));
        }

        @Handler
        void on(Notify m) {
            if (predecessor == null || isBetween(m.who().key(), predecessor.key(), key)) {
                predecessor = m.who();
            }
        }

        @Internal(when = "mayStabilize")
        void stabilize() {
            rounds--;
            if (successor.key() == key) {
                consider(predecessor);
            } else {
                send(successor.name(), new AskPredecessor());
            }
        }

        boolean mayStabilize() {
            return rounds > 0 && successor != null;
        }

        @Handler
        void on(AskPredecessor m) {
            reply(new Predecessor(predecessor));
        }

        @Handler
        void on(Predecessor m) {
            consider(m.peer());
        }

        private void consider(Peer peer) {
            if (peer != null && isBetween(peer.key(), key, successor.key())) {
                successor = peer;
                send(successor.name(), new Notify(me()));
            }
        }
    }

    @Parameter("how many nodes, the first of which is there from the beginning")
    int nodes = 2;

    @Parameter("how often each node asks its successor for another one")
    int rounds = 1;

    @Override
    protected void setUp() {
        ActorName first = create("first", new Node(0, null, rounds));
        create("node", nodes - 1, i -> new Node(i + 1, first, rounds));
    }

    @Final("all nodes have joined")
    boolean joined() {
        return actors(Node.class).allMatch(n -> n.successor != null);
    }
}
