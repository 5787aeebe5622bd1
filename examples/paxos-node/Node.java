package paxosnode;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import paxosnode.Messages.Accept;
import paxosnode.Messages.Join;
import paxosnode.Messages.Learn;
import paxosnode.Messages.Prepare;
import paxosnode.Messages.Promise;
import paxosnode.Messages.Proposal;

/** Proposer, acceptor and learner in one process, which sends messages to itself as to the others. */
public class Node extends Actor {
    /** The ballot under which this node proposes the value of the same number; 0 if it proposes nothing. */
    private final int ballot;

    private List<ActorName> nodes = List.of();

    private int promises;
    private Proposal proposal;

    private int promised;
    private Proposal accepted;

    private final Map<Proposal, Integer> votes = new TreeMap<>(Node::compare);
    private final Set<Integer> chosen = new TreeSet<>();

    public Node(int ballot) {
        this.ballot = ballot;
        proposal = own();
    }

    private static int compare(Proposal a, Proposal b) {
        return Integer.compare(a.ballot(), b.ballot());
    }

    /** All values that this node has learned; Paxos promises that there is at most one. */
    Set<Integer> chosen() {
        return chosen;
    }

    /** What this node proposes if nobody was before it. */
    protected final Proposal own() {
        return new Proposal(ballot, ballot);
    }

    /**
     * The proposal whose value to take up.
     *
     * @param known what earlier promises came to
     * @param promised what the acceptor of another promise has accepted; null for nothing
     */
    protected Proposal better(Proposal known, Proposal promised) {
        boolean isFirst = known.equals(own());
        return promised != null && (isFirst || promised.ballot() > known.ballot()) ? promised : known;
    }

    private boolean isMajority(int count) {
        return count == nodes.size() / 2 + 1;
    }

    boolean hasJoined(Object message) {
        return !nodes.isEmpty();
    }

    @Handler
    void on(Join m) {
        nodes = m.nodes();
        if (ballot > 0) {
            send(nodes, new Prepare(ballot));
        }
    }

    @Handler(when = "hasJoined")
    void on(Prepare m) {
        if (m.ballot() > promised) {
            promised = m.ballot();
            reply(new Promise(m.ballot(), accepted));
        }
    }

    @Handler(when = "hasJoined")
    void on(Promise m) {
        if (promises > nodes.size() / 2) {
            return; // a majority has promised; this one comes too late to matter
        }
        promises++;
        proposal = better(proposal, m.accepted());
        if (isMajority(promises)) {
            send(nodes, new Accept(new Proposal(ballot, proposal.value())));
        }
    }

    @Handler(when = "hasJoined")
    void on(Accept m) {
        if (m.proposal().ballot() >= promised) {
            promised = m.proposal().ballot();
            accepted = m.proposal();
            send(nodes, new Learn(accepted));
        }
    }

    @Handler(when = "hasJoined")
    void on(Learn m) {
        if (isMajority(votes.merge(m.proposal(), 1, Integer::sum))) {
            chosen.add(m.proposal().value());
        }
    }
}
