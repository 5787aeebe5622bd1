package paxosfaulty2;

import harrier.ActorName;
import java.util.List;
import paxos.Acceptor;
import paxos.Paxos;

/**
 * Paxos with three proposers in which the first acceptor remembers the proposal that it accepted last,
 * instead of the one with the highest ballot. Two proposers are too few to show it.
 *
 * <p>Expected: violated (no two different values are learned).
 */
public final class PaxosFaulty2 extends Paxos {
    public PaxosFaulty2() {
        proposers = 3;
    }

    @Override
    protected Acceptor acceptor(int i, List<ActorName> learners) {
        return i == 0 ? new LastWins(learners) : super.acceptor(i, learners);
    }

    /** Answers with the value accepted last. */
    static final class LastWins extends Acceptor {
        LastWins(List<ActorName> learners) {
            super(learners);
        }

        @Override
        protected boolean remembers(int ballot, int remembered) {
            return true;
        }
    }
}
