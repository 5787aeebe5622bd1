package zab;

import java.util.List;

/**
 * The messages of Zab, under the names of the paper. Each carries the round of the election that it
 * belongs to, which stands for the connection between a leader and a follower: what comes from another
 * round is from a connection that was closed, and is ignored.
 */
final class Messages {
    private Messages() {}

    /** Phase 0, leader election: a leader asks the followers for their votes. */
    record Candidacy(int round, int id) {}

    /** Phase 0: the follower does not vote for the leader, but follows another. */
    record Refusal(int round, Vote instead) {}

    /** A leader's timer for a round of the election; from the leader to itself. */
    record ElectionTimeout(int round) {}

    /**
     * Phase 1, discovery: the follower's vote, with the last epoch that it promised to a leader. The
     * session counts the leaders that the follower has joined; it and the last zxid are for traces.
     */
    record CEpoch(int round, int promised, Zxid last, int session) {}

    /** Phase 1: a leader with a quorum proposes an epoch later than all that the quorum has promised. */
    record NewEpoch(int round, int epoch) {}

    /** ACK-E, phase 1: the follower promises the epoch, and tells its current epoch and its history. */
    record AckEpoch(int round, int current, List<Transaction> history) {}

    /** Phase 2, synchronization: the history that the epoch begins with. */
    record NewLeader(int round, int epoch, List<Transaction> history) {}

    /** ACK-LD, phase 2: the follower has taken the history over. */
    record AckLeader(int round, Zxid last) {}

    /** COMMIT-LD, phase 2: the leader is established, and the history is to be delivered. */
    record CommitLeader(int round, int epoch) {}

    /** Phase 3, broadcast: the next transaction. */
    record Propose(int round, Transaction transaction) {}

    /** ACK, phase 3: the follower has the transaction in its history. */
    record Ack(int round, Zxid zxid) {}

    /** Phase 3: a quorum has the transaction, and it is to be delivered. */
    record Commit(int round, Zxid zxid) {}
}
