package paxosnode;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;
import paxosnode.Messages.Join;

/**
 * Single-decree Paxos among nodes that are proposers, acceptors and learners at once: the program that Guerraoui and
 * Yabandeh check in "Model Checking a Networked System Without the Network", NSDI 2011, sections 5.2 to 5.5.
 *
 * <p>Expected: verified.
 */
public class PaxosNode extends Scenario {
    @Parameter("how many nodes; a majority decides")
    protected int nodes = 3;

    @Parameter("how many of the nodes propose a value, each one of its own")
    protected int proposals = 2;

    @Override
    protected void setUp() {
        List<ActorName> all = create("node", nodes, i -> node(i < proposals ? i + 1 : 0));
        all.forEach(n -> send(n, new Join(all)));
    }

    /** A node that proposes under a ballot, or nothing if that is 0; a wrong version has others. */
    protected Node node(int ballot) {
        return new Node(ballot);
    }

    @Invariant("no two different values are chosen")
    boolean agreement() {
        return actors(Node.class).flatMap(n -> n.chosen().stream()).distinct().count() <= 1;
    }
}
