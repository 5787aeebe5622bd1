package paxosnodefaulty;

import paxosnode.Messages.Proposal;
import paxosnode.Node;
import paxosnode.PaxosNode;

/**
 * Paxos in which a proposer takes up what the last promise says, instead of the proposal with the highest ballot: the bug
 * that Guerraoui and Yabandeh inject in section 5.5 of their paper.
 *
 * <p>Expected: violated (no two different values are chosen).
 */
public final class PaxosNodeFaulty extends PaxosNode {
    @Override
    protected Node node(int ballot) {
        return new LastPromise(ballot);
    }

    /** Forgets the promises before the last one. */
    static final class LastPromise extends Node {
        LastPromise(int ballot) {
            super(ballot);
        }

        @Override
        protected Proposal better(Proposal known, Proposal promised) {
            return promised == null ? own() : promised;
        }
    }
}
