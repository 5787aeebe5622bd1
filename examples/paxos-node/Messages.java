package paxosnode;

import harrier.ActorName;
import java.util.List;

/** The messages of nodes that have all roles of single-decree Paxos. */
public final class Messages {
    private Messages() {}

    /** Tells a node of all nodes, itself among them; the first message that it gets. */
    public record Join(List<ActorName> nodes) {}

    /** Phase 1a: asks an acceptor to promise that it accepts nothing below the ballot. */
    public record Prepare(int ballot) {}

    /** Phase 1b: the promise, with the proposal of the highest ballot accepted so far; null if there is none. */
    public record Promise(int ballot, Proposal accepted) {}

    /** Phase 2a: asks an acceptor to accept a proposal. */
    public record Accept(Proposal proposal) {}

    /** Phase 2b: tells a learner that an acceptor accepted a proposal. */
    public record Learn(Proposal proposal) {}

    /** A value under a ballot. */
    public record Proposal(int ballot, int value) {}
}
