package paxos;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * Single-decree Paxos: proposers with distinct ballots and values, acceptors, learners.
 *
 * <p>Expected: verified.
 */
public class Paxos extends Scenario {
    @Parameter("how many proposers; each proposes a value of its own under one ballot")
    protected int proposers = 2;

    @Parameter("how many acceptors; a majority decides")
    protected int acceptors = 3;

    @Parameter("how many learners")
    protected int learners = 1;

    @Parameter("how often acceptors crash and start again, all together")
    protected int crashes = 0;

    @Override
    protected void setUp() {
        List<ActorName> toLearn = create("learner", learners, i -> new Learner(acceptors));
        List<ActorName> toAccept = create("acceptor", acceptors, i -> acceptor(i, toLearn));
        create("proposer", proposers, i -> new Proposer(i + 1, 100 * (i + 1), toAccept));
        faults().crashes(crashes, "acceptor");
    }

    /** The acceptor number {@code i}, from 0. */
    protected Acceptor acceptor(int i, List<ActorName> learners) {
        return new Acceptor(learners);
    }

    @Invariant("no two different values are learned")
    boolean agreement() {
        return actors(Learner.class).flatMap(l -> l.learned().stream()).distinct().count() <= 1;
    }
}
