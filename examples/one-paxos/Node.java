package onepaxos;

import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import onepaxos.Messages.Accept;
import onepaxos.Messages.AcceptorChange;
import onepaxos.Messages.Entry;
import onepaxos.Messages.Join;
import onepaxos.Messages.LeaderChange;
import onepaxos.Messages.Learn;
import onepaxos.Messages.Prepare;
import onepaxos.Messages.Promise;
import onepaxos.Messages.Proposal;

/** Leader, acceptor and learner in one process. Who leads, and who accepts, is said by the log below. */
public class Node extends PaxosUtility {
    /** What this node proposes if it leads and nobody was before it. */
    private final int value;

    /** How often this node will take the leader, or as leader the acceptor, to have failed. */
    private int takeovers;
    private int replacements;

    private ActorName leader;
    private ActorName acceptor;
    private Proposal before;

    private int ballot = -1;
    private Proposal proposal;

    private int promised = -1;
    private Proposal accepted;

    private final Set<Integer> chosen = new TreeSet<>();

    public Node(int value, int takeovers, int replacements) {
        this.value = value;
        this.takeovers = takeovers;
        this.replacements = replacements;
    }

    /** All values that this node has learned; 1Paxos promises that there is at most one. */
    Set<Integer> chosen() {
        return chosen;
    }

    /** The active acceptor that a node begins with: the second node, as the first is the leader. */
    protected ActorName firstAcceptor(List<ActorName> nodes) {
        int i = 0;
        return nodes.get(++i);
    }

    @Handler
    void on(Join m) {
        leader = m.nodes().get(0);
        acceptor = firstAcceptor(m.nodes());
        begin(m.nodes(), List.of(new LeaderChange(leader), new AcceptorChange(leader, m.nodes().get(1), null)));
        if (leader.equals(self())) {
            lead(0);
        }
    }

    private void lead(int newBallot) {
        ballot = newBallot;
        send(acceptor, new Prepare(ballot));
    }

    @Handler(when = "isReady")
    void on(Prepare m) {
        if (m.ballot() > promised) {
            promised = m.ballot();
            reply(new Promise(m.ballot(), accepted));
        }
    }

    @Handler(when = "isReady")
    void on(Promise m) {
        if (m.ballot() == ballot && proposal == null) {
            Proposal last = later(before, m.accepted());
            proposal = new Proposal(ballot, last == null ? value : last.value());
            send(acceptor, new Accept(proposal));
        }
    }

    private static Proposal later(Proposal a, Proposal b) {
        return b == null || a != null && a.ballot() > b.ballot() ? a : b;
    }

    @Handler(when = "isReady")
    void on(Accept m) {
        if (m.proposal().ballot() >= promised) {
            promised = m.proposal().ballot();
            accepted = m.proposal();
            send(nodes(), new Learn(accepted));
        }
    }

    @Handler(when = "isReady")
    void on(Learn m) {
        chosen.add(m.proposal().value());
    }

    /** The fault detector takes the leader to have failed. */
    @Internal(when = "mayTakeOver")
    void takeOver() {
        takeovers--;
        add(new LeaderChange(self()));
    }

    boolean mayTakeOver() {
        return takeovers > 0 && hasBegun() && !self().equals(leader);
    }

    /** The fault detector takes the active acceptor to have failed. Only a leader that it has followed may replace it. */
    @Internal(when = "mayReplaceAcceptor")
    void replaceAcceptor() {
        replacements--;
        ActorName other = nodes().stream().filter(n -> !n.equals(self()) && !n.equals(acceptor)).findFirst().get();
        add(new AcceptorChange(self(), other, proposal));
    }

    boolean mayReplaceAcceptor() {
        return replacements > 0 && proposal != null;
    }

    @Override
    protected void added(int place, Entry entry) {
        if (entry instanceof LeaderChange change) {
            ballot = -1;
            proposal = null;
            leader = change.leader();
            if (leader.equals(self())) {
                acceptor = activeAcceptor();
                lead(place);
            }
        } else if (entry instanceof AcceptorChange change && change.leader().equals(leader)) {
            acceptor = change.acceptor();
            before = later(before, change.proposed());
            if (leader.equals(self())) {
                send(acceptor, new Accept(proposal));
            }
        }
    }

    /** The active acceptor as the log has it. */
    private ActorName activeAcceptor() {
        ActorName leads = null;
        ActorName accepts = null;
        for (Entry entry : log()) {
            if (entry instanceof LeaderChange change) {
                leads = change.leader();
            } else if (entry instanceof AcceptorChange change && change.leader().equals(leads)) {
                accepts = change.acceptor();
            }
        }
        return accepts;
    }
}
