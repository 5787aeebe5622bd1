package zab;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import zab.Messages.Ack;
import zab.Messages.AckEpoch;
import zab.Messages.AckLeader;
import zab.Messages.CEpoch;
import zab.Messages.Candidacy;
import zab.Messages.Commit;
import zab.Messages.CommitLeader;
import zab.Messages.NewEpoch;
import zab.Messages.NewLeader;
import zab.Messages.Refusal;
import zab.Messages.Propose;

/**
 * The follower of a server. It follows one leader at a time, and leaves it for one that is to be
 * preferred. Zab assumes channels that keep the order of messages; here they do not, so guards leave
 * what comes too early where it is.
 */
public class Follower extends Actor {
    enum Phase { ELECTION, DISCOVERY, SYNCHRONIZATION, BROADCAST }

    private Phase phase = Phase.ELECTION;
    private Vote vote = Vote.NONE;

    /** The last epoch promised to a leader: f.p of the paper. */
    private int promised;

    /** The epoch of the last leader whose history was taken over: f.a of the paper. */
    private int current;

    /** What was accepted, delivered or not: h_f of the paper. */
    private List<Transaction> history = new ArrayList<>();

    /** What the replicated service has been given. */
    private final List<Transaction> delivered = new ArrayList<>();

    /** What this server has seen of the others, for its status page. */
    private final Map<ActorName, String> peers = new HashMap<>();

    private final List<String> log = new ArrayList<>();

    /** How many times it has joined a leader. */
    private int sessions;

    // Phase 0: leader election.

    @Handler
    void on(Candidacy m, ActorName leader) {
        peers.put(leader, "candidate in round " + m.round());
        Vote candidate = new Vote(m.round(), m.id(), leader);
        if (!prefers(candidate, vote)) {
            reply(new Refusal(m.round(), vote));
            return;
        }
        vote = candidate;
        phase = Phase.DISCOVERY;
        sessions++;
        reply(new CEpoch(m.round(), promised, Transaction.last(history), sessions));
    }

    /** Whether the follower votes for a candidate, given its vote so far: for later rounds and higher ids. */
    protected boolean prefers(Vote candidate, Vote vote) {
        return candidate.round() > vote.round()
            || candidate.round() == vote.round() && candidate.id() > vote.id();
    }

    // Phase 1: discovery.

    @Handler
    void on(NewEpoch m, ActorName leader) {
        if (!follows(leader, m.round()) || m.epoch() <= promised) {
            return;
        }
        promised = m.epoch();
        phase = Phase.SYNCHRONIZATION;
        peers.put(leader, "leader of epoch " + m.epoch());
        reply(new AckEpoch(m.round(), current, List.copyOf(history)));
    }

    // Phase 2: synchronization.

    @Handler
    void on(NewLeader m, ActorName leader) {
        if (!follows(leader, m.round())) {
            return;
        }
        current = m.epoch();
        history = new ArrayList<>(m.history());
        reply(new AckLeader(m.round(), Transaction.last(history)));
    }

    @Handler
    void on(CommitLeader m, ActorName leader) {
        if (!follows(leader, m.round())) {
            return;
        }
        phase = Phase.BROADCAST;
        log.add("epoch " + m.epoch() + " begins after " + Transaction.last(history));
        while (delivered.size() < history.size()) {
            delivered.add(nextToDeliver());
        }
    }

    // Phase 3: broadcast.

    @Handler(when = "inTurn")
    void on(Propose m, ActorName leader) {
        if (follows(leader, m.round())) {
            history.add(m.transaction());
            reply(new Ack(m.round(), m.transaction().zxid()));
        }
    }

    /** Proposals come after the leader is established, and in the order of their zxids. */
    boolean inTurn(Propose m, ActorName leader) {
        return !follows(leader, m.round())
            || phase == Phase.BROADCAST && m.transaction().zxid().equals(Transaction.last(history).next(current));
    }

    @Handler(when = "inTurn")
    void on(Commit m, ActorName leader) {
        if (follows(leader, m.round())) {
            delivered.add(nextToDeliver());
        }
    }

    /** Commits come after what they commit, and in the same order. */
    boolean inTurn(Commit m, ActorName leader) {
        return !follows(leader, m.round())
            || phase == Phase.BROADCAST
                && delivered.size() < history.size()
                && nextToDeliver().zxid().equals(m.zxid());
    }

    private Transaction nextToDeliver() {
        return history.get(delivered.size());
    }

    /** Whether messages of a leader in a round are to be regarded. */
    private boolean follows(ActorName leader, int round) {
        return vote.round() == round && leader.equals(vote.leader());
    }

    /** Whether it is in the broadcast phase of this leader. */
    boolean activeWith(ActorName leader) {
        return phase == Phase.BROADCAST && leader.equals(vote.leader());
    }

    /** All that was delivered, in that order. */
    List<Transaction> delivered() {
        return delivered;
    }
}
