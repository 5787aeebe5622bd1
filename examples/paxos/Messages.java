package paxos;

/** The messages of single-decree Paxos. */
final class Messages {
    private Messages() {}

    /** Phase 1a: asks an acceptor to promise that it accepts nothing below the ballot. */
    record Prepare(int ballot) {}

    /** Phase 1b: the promise, with the proposal of the highest ballot accepted so far (0: none). */
    record Promise(int ballot, int accepted, Integer value) {}

    /** Phase 2a: asks an acceptor to accept a value. */
    record Accept(int ballot, int value) {}

    /** Phase 2b: tells a learner that an acceptor accepted a value. */
    record Accepted(int ballot, int value) {}
}
