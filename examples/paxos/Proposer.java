package paxos;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.List;
import paxos.Messages.Accept;
import paxos.Messages.Prepare;
import paxos.Messages.Promise;

/** Proposes its own value under one ballot, unless the acceptors tell it of another. */
final class Proposer extends Actor {
    private final int ballot;
    private final List<ActorName> acceptors;
    private int promises;
    private int highest;
    private int value;

    Proposer(int ballot, int value, List<ActorName> acceptors) {
        this.ballot = ballot;
        this.value = value;
        this.acceptors = acceptors;
    }

    @Override
    protected void start() {
        send(acceptors, new Prepare(ballot));
    }

    @Handler
    void on(Promise m) {
        if (promises > acceptors.size() / 2) {
            return; // a majority has promised; this one comes too late to matter
        }
        promises++;
        if (m.accepted() > highest) {
            highest = m.accepted();
            value = m.value();
        }
        if (promises > acceptors.size() / 2) {
            send(acceptors, new Accept(ballot, value));
        }
    }
}
