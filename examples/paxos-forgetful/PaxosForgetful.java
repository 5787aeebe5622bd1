package paxosforgetful;

import harrier.ActorName;
import java.util.List;
import paxos.Acceptor;
import paxos.Paxos;

/**
 * Paxos in which acceptors keep what they accept on disk, but not what they promise. That shows once an acceptor
 * crashes between a promise and a proposal of a lower ballot.
 *
 * <p>Expected: violated (no two different values are learned).
 */
public final class PaxosForgetful extends Paxos {
    public PaxosForgetful() {
        crashes = 1;
    }

    @Override
    protected Acceptor acceptor(int i, List<ActorName> learners) {
        return new Forgetful(learners);
    }

    /** Starts again without its promise. */
    static final class Forgetful extends Acceptor {
        Forgetful(List<ActorName> learners) {
            super(learners);
        }

        @Override
        protected void onRestart() {
            promised = 0;
        }
    }
}
