package onepaxos;

import harrier.ActorName;
import java.util.List;

/** The messages of 1Paxos, and those of the Paxos below it. */
public final class Messages {
    private Messages() {}

    /** Tells a node of all nodes, itself among them; the first message that it gets. */
    public record Join(List<ActorName> nodes) {}

    /** Asks the active acceptor to promise that it accepts nothing below the ballot. */
    public record Prepare(int ballot) {}

    /** The promise, with the proposal that the acceptor accepted last; null if there is none. */
    public record Promise(int ballot, Proposal accepted) {}

    /** Asks the active acceptor to accept a proposal. */
    public record Accept(Proposal proposal) {}

    /** Tells all nodes that the active acceptor accepted a proposal: its value is chosen. */
    public record Learn(Proposal proposal) {}

    /** A value under a ballot. */
    public record Proposal(int ballot, int value) {}

    /** An entry of the log of {@link PaxosUtility}. */
    public sealed interface Entry permits LeaderChange, AcceptorChange {}

    /** From here on this node is the leader. The place of the entry in the log is its ballot. */
    public record LeaderChange(ActorName leader) implements Entry {}

    /**
     * From here on this node is the active acceptor, if the one who says so is the leader.
     *
     * @param proposed what the leader has proposed to the acceptor before, and that may be chosen; null for nothing
     */
    public record AcceptorChange(ActorName leader, ActorName acceptor, Proposal proposed) implements Entry {}

    /** Phase 1a of the Paxos for a place in the log. */
    public record LogPrepare(int place, int ballot) {}

    /** Phase 1b, with what was accepted for the place under the highest ballot so far; null if there is nothing. */
    public record LogPromise(int place, int ballot, Vote accepted) {}

    /** Phase 2a. */
    public record LogAccept(int place, Vote vote) {}

    /** Phase 2b: tells all nodes that one of them accepted an entry for the place. */
    public record LogLearn(int place, Vote vote) {}

    /** An entry under a ballot of the Paxos below. */
    public record Vote(int ballot, Entry entry) {}
}
