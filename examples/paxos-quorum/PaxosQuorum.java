package paxosquorum;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;
import java.util.Objects;

/**
 * Single-decree Paxos in which leaders and learners consume the messages of a quorum at once, as in Bokor, Serafini and
 * Suri, "On Efficient Models for Model Checking Message-Passing Distributed Protocols". There is no state for each
 * number of messages that was counted so far.
 *
 * <p>Leaders are symmetric, and so are acceptors and learners: a leader gets neither a ballot nor a value, but
 * chooses a number, and proposes its own name. Symmetry reduction has the group of all permutations within
 * these roles; with 2 leaders and 3 acceptors there are 12.
 *
 * <p>That paper's faulty protocol is {@code alwaysAccept}. Its erroneous property, that an accepted proposal is as
 * good as a chosen one, is {@code erroneous}.
 *
 * <p>Expected: verified; violated with {@code --set alwaysAccept=true}, and with {@code --set erroneous=true}.
 */
public final class PaxosQuorum extends Scenario {
    @Parameter("how many leaders; each proposes at most once")
    int leaders = 2;

    @Parameter("how many acceptors; a majority decides")
    int acceptors = 3;

    @Parameter("how many learners")
    int learners = 1;

    @Parameter("the highest proposal number")
    int numbers = 2;

    @Parameter("whether a leader that has no majority may choose a higher number, and so on")
    boolean again = true;

    @Parameter("whether acceptors accept every proposal, whatever they promised: a fault")
    boolean alwaysAccept = false;

    @Parameter("whether an accepted value is taken for a chosen one: a wrong property")
    boolean erroneous = false;

    @Override
    protected void setUp() {
        List<ActorName> toLearn = create("learner", learners, i -> new Learner());
        List<ActorName> toAccept = create("acceptor", acceptors, i -> new Acceptor(toLearn, alwaysAccept));
        create("leader", leaders, i -> new Leader(toAccept, numbers, again));
    }

    @Invariant("no two different values are learned")
    boolean agreement() {
        return actors(Learner.class).flatMap(l -> l.learned().stream()).distinct().count() <= 1;
    }

    @Invariant("no two different values are accepted, if the erroneous property is asked for")
    boolean chosenIsAccepted() {
        return !erroneous || actors(Acceptor.class).map(Acceptor::accepted).filter(Objects::nonNull)
            .map(Messages.Proposal::value).distinct().count() <= 1;
    }
}
