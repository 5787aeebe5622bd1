package paxosquorum;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.HashSet;
import java.util.Set;
import paxosquorum.Messages.Accepted;

/** Learns a value when a majority of the acceptors has accepted it under one ballot. */
final class Learner extends Actor {
    private final Set<ActorName> learned = new HashSet<>();

    /** All values learned so far; Paxos promises that there is at most one. */
    Set<ActorName> learned() {
        return learned;
    }

    @Handler(quorum = "majority", when = "agree")
    void on(Set<Accepted> votes) {
        votes.forEach(m -> learned.add(m.proposal().value()));
    }

    /** Whether all votes are for one proposal. Equal messages are one element of the set, whoever they are from. */
    boolean agree(Set<Accepted> votes) {
        return votes.size() == 1;
    }
}
