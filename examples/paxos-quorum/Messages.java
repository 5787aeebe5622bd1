package paxosquorum;

import harrier.ActorName;

/** What leaders, acceptors and learners of Paxos tell each other. */
final class Messages {
    private Messages() {}

    /**
     * A proposal number and the leader that chose it. Numbers have an order, leaders have none, so that leaders stay
     * symmetric: of two ballots with the same number an acceptor takes the one that comes first, and refuses the other.
     */
    record Ballot(int number, ActorName leader) {
        boolean exceeds(Ballot other) {
            return other == null || number > other.number;
        }
    }

    /** A value under a ballot. Values are names of leaders, as each leader proposes itself. */
    record Proposal(Ballot ballot, ActorName value) {}

    /** Phase 1a: asks an acceptor to promise that it accepts nothing of a lower ballot. */
    record Prepare(Ballot ballot) {}

    /** Phase 1b: the promise, with the proposal that was accepted last, or null. */
    record Promise(Ballot ballot, Proposal accepted) {}

    /** Phase 2a: asks an acceptor to accept a proposal. */
    record Accept(Proposal proposal) {}

    /** Phase 2b: tells a learner that an acceptor accepted a proposal. */
    record Accepted(Proposal proposal) {}
}
