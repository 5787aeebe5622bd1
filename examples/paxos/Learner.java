package paxos;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import paxos.Messages.Accepted;

/** Learns a value when a majority of the acceptors has accepted it under one ballot. */
final class Learner extends Actor {
    private final int acceptors;
    private final Map<Integer, Integer> votes = new HashMap<>();
    private final Set<Integer> learned = new TreeSet<>();

    /** How often each acceptor was heard of. */
    private final Map<ActorName, Integer> heard = new HashMap<>();

    Learner(int acceptors) {
        this.acceptors = acceptors;
    }

    /** All values learned so far; Paxos promises that there is at most one. */
    Set<Integer> learned() {
        return learned;
    }

    @Handler
    void on(Accepted m, ActorName acceptor) {
        heard.merge(acceptor, 1, Integer::sum);
        if (votes.merge(m.ballot(), 1, Integer::sum) > acceptors / 2) {
            learned.add(m.value());
        }
    }
}
