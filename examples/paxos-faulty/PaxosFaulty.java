package paxosfaulty;

import harrier.ActorName;
import java.util.List;
import paxos.Acceptor;
import paxos.Paxos;

/**
 * Paxos in which the first acceptor accepts every proposal, whatever it promised.
 *
 * <p>Expected: violated (no two different values are learned).
 */
public final class PaxosFaulty extends Paxos {
    @Override
    protected Acceptor acceptor(int i, List<ActorName> learners) {
        return i == 0 ? new Forgetful(learners) : super.acceptor(i, learners);
    }

    /** Forgets its promises. */
    static final class Forgetful extends Acceptor {
        Forgetful(List<ActorName> learners) {
            super(learners);
        }

        @Override
        protected boolean accepts(int ballot, int promised) {
            return true;
        }
    }
}
