package paxosquorum;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.List;
import paxosquorum.Messages.Accept;
import paxosquorum.Messages.Accepted;
import paxosquorum.Messages.Ballot;
import paxosquorum.Messages.Prepare;
import paxosquorum.Messages.Promise;
import paxosquorum.Messages.Proposal;

/** Promises and accepts; accepting a proposal promises its ballot. */
final class Acceptor extends Actor {
    private final List<ActorName> learners;
    /** Accepts whatever it promised: a fault. */
    private final boolean alwaysAccepts;
    private Ballot promised;
    private Proposal accepted;

    Acceptor(List<ActorName> learners, boolean alwaysAccepts) {
        this.learners = learners;
        this.alwaysAccepts = alwaysAccepts;
    }

    /** What it accepted last, or null. */
    Proposal accepted() {
        return accepted;
    }

    @Handler
    void on(Prepare m) {
        if (m.ballot().exceeds(promised)) {
            promised = m.ballot();
            reply(new Promise(promised, accepted));
        }
    }

    @Handler
    void on(Accept m) {
        Ballot ballot = m.proposal().ballot();
        if (ballot.exceeds(promised)) {
            promised = ballot;
        }
        if (ballot.equals(promised) || alwaysAccepts) {
            accepted = m.proposal();
            send(learners, new Accepted(accepted));
        }
    }
}
