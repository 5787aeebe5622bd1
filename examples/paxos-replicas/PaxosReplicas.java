package paxosreplicas;

import harrier.Parameter;
import java.util.ArrayList;
import java.util.List;
import paxos.Paxos;

/**
 * Paxos on replicas, each with an acceptor, a learner and, of the first ones, a proposer. A replica is one component.
 *
 * <p>Expected: verified.
 */
public final class PaxosReplicas extends Paxos {
    @Parameter("how many replicas")
    int replicas = 2;

    @Override
    protected void setUp() {
        acceptors = replicas;
        learners = replicas;
        super.setUp();
        for (int i = 1; i <= replicas; i++) {
            List<String> replica = new ArrayList<>(List.of("acceptor" + i, "learner" + i));
            if (i <= proposers) {
                replica.add("proposer" + i);
            }
            components().together(replica.toArray(String[]::new));
        }
    }
}
