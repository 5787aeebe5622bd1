package randtree;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;

/**
 * RandTree, a tree for multicast that is built at random: a node asks the root for a place, and whoever is asked takes it
 * as a child or passes it on to one of its children. The program is from Mace (Killian and others, "Mace: Language
 * Support for Building Distributed Systems", PLDI 2007), and so is the invariant.
 *
 * <p>Expected: verified.
 */
public class RandTree extends Scenario {
    @Parameter("how many nodes join the root")
    protected int nodes = 3;

    @Parameter("how many children a node has at most")
    protected int children = 2;

    @Parameter("how many nodes crash, and join again")
    protected int crashes = 1;

    @Override
    protected void setUp() {
        ActorName root = create("root", node(null, children));
        create("node", nodes, i -> node(root, children));
        faults().crashes(crashes, "node");
    }

    /** A node that joins at the root; a wrong version has others. */
    protected Node node(ActorName root, int mostChildren) {
        return new Node(root, mostChildren);
    }

    @Invariant("no node is a child and a sibling of another")
    boolean disjoint() {
        return actors(Node.class).allMatch(Node::isConsistent);
    }
}
