package onepaxos;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;
import onepaxos.Messages.Join;

/**
 * 1Paxos: one acceptor at a time is enough, as long as all agree on who that is, and who the leader is. They agree by
 * PaxosUtility, a log that is decided by Paxos. The program of section 5.6 of Guerraoui and Yabandeh, "Model Checking a
 * Networked System Without the Network", NSDI 2011.
 *
 * <p>Expected: verified.
 */
public class OnePaxos extends Scenario {
    @Parameter("how many nodes; the first leads, the second is the acceptor")
    protected int nodes = 3;

    @Parameter("how many of the last nodes take over from the leader, and propose a value of their own")
    protected int takeovers = 1;

    @Parameter("how often each of them takes over")
    protected int times = 1;

    @Parameter("how often the first leader replaces the acceptor")
    protected int replacements = 0;

    @Override
    protected void setUp() {
        List<ActorName> all = create("node", nodes, i -> node(i + 1, i >= nodes - takeovers ? times : 0, i == 0 ? replacements : 0));
        all.forEach(n -> send(n, new Join(all)));
    }

    /** A node with a value; a wrong version has others. */
    protected Node node(int value, int takeovers, int replacements) {
        return new Node(value, takeovers, replacements);
    }

    @Invariant("no two different values are chosen")
    boolean agreement() {
        return actors(Node.class).flatMap(n -> n.chosen().stream()).distinct().count() <= 1;
    }
}
