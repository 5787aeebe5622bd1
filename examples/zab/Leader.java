package zab;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import zab.Messages.Ack;
import zab.Messages.AckEpoch;
import zab.Messages.AckLeader;
import zab.Messages.CEpoch;
import zab.Messages.Candidacy;
import zab.Messages.Commit;
import zab.Messages.CommitLeader;
import zab.Messages.ElectionTimeout;
import zab.Messages.NewEpoch;
import zab.Messages.NewLeader;
import zab.Messages.Refusal;
import zab.Messages.Propose;

/**
 * The leader of a server that may lead. It stands for election when it starts, and again with a later
 * round when it is not established in time. It stands down for good when too many followers follow
 * others for a quorum.
 */
public class Leader extends Actor {
    enum Phase { ELECTION, DISCOVERY, SYNCHRONIZATION, BROADCAST, STOOD_DOWN }

    private final int id;
    private final List<ActorName> followers;
    private final int broadcasts;

    /** Whether the timer for the next election may run out. */
    private boolean timer;

    private Phase phase = Phase.ELECTION;
    private int round;

    /** During an election the latest epoch known to be in use, after it the one that was proposed. */
    private int epoch;

    /** Whether a quorum has acknowledged the leadership, so that the epoch is this leader's. */
    private boolean established;

    /** The followers that sent CEPOCH and have not been answered. */
    private final Set<ActorName> joined = new HashSet<>();

    /** The followers that promised the epoch, until they are a quorum. */
    private final Set<ActorName> following = new HashSet<>();

    /** The followers that took the history over. They are sent all proposals and commits. */
    private final Set<ActorName> synced = new HashSet<>();

    /** The followers that follow others in this round. */
    private final Set<ActorName> refusedBy = new HashSet<>();

    /** The most recent of the histories in the followers' ACK-E, later with the own proposals. */
    private List<Transaction> history = new ArrayList<>();

    /** The current epoch of the follower that had that history, -1 before the first ACK-E. */
    private int historyEpoch = -1;

    /** How much of the history is known to be with a quorum. */
    private int committed;

    /** Who has acknowledged which of the proposals that are not committed. */
    private final Map<Zxid, Set<ActorName>> acks = new HashMap<>();

    /** What the followers were last heard to do, for the server's status page. */
    private final Map<ActorName, String> peers = new HashMap<>();

    private final List<String> log = new ArrayList<>();
    private int received;
    private int ignored;

    /**
     * @param id the server's number, from 1, which breaks ties in elections
     * @param followers the followers of all servers; a majority of them is a quorum
     * @param broadcasts how many transactions are broadcast when the leader is established
     * @param timer whether the timer for its first election may run out
     */
    public Leader(int id, List<ActorName> followers, int broadcasts, boolean timer) {
        this.id = id;
        this.followers = followers;
        this.broadcasts = broadcasts;
        this.timer = timer;
    }

    // Phase 0: leader election.

    @Override
    protected void start() {
        stand();
    }

    private void stand() {
        round++;
        phase = Phase.ELECTION;
        forget();
        history = new ArrayList<>();
        historyEpoch = -1;
        log.add("standing in round " + round);
        send(followers, new Candidacy(round, id));
        if (timer) {
            timer = false;
            send(self(), new ElectionTimeout(round));
        }
    }

    private void forget() {
        joined.clear();
        following.clear();
        synced.clear();
        refusedBy.clear();
        acks.clear();
    }

    @Handler
    void on(ElectionTimeout m) {
        if (phase != Phase.STOOD_DOWN && !established) {
            log.add("round " + m.round() + " timed out");
            stand();
        }
    }

    @Handler
    void on(Refusal m, ActorName follower) {
        if (!regards(m.round())) {
            return;
        }
        refusedBy.add(follower);
        peers.put(follower, "refused");
        if (followers.size() - refusedBy.size() < quorum()) {
            phase = Phase.STOOD_DOWN;
            forget();
            log.add("stood down in round " + round);
        }
    }

    // Phase 1: discovery.

    @Handler
    void on(CEpoch m, ActorName follower) {
        if (!regards(m.round())) {
            return;
        }
        peers.put(follower, "joined");
        joined.add(follower);
        if (phase == Phase.ELECTION) {
            epoch = Math.max(epoch, m.promised());
            if (joined.size() >= quorum()) {
                phase = Phase.DISCOVERY;
                epoch++;
                proposeEpoch();
            }
        } else if (phase == Phase.BROADCAST) {
            proposeEpoch();
        }
    }

    /** To the followers that have joined since the last time. */
    private void proposeEpoch() {
        send(joined, new NewEpoch(round, epoch));
        joined.clear();
    }

    @Handler
    void on(AckEpoch m, ActorName follower) {
        if (!regards(m.round())) {
            return;
        }
        peers.put(follower, "promised");
        if (phase == Phase.BROADCAST) {
            reply(new NewLeader(round, epoch, initialHistory()));
            return;
        }
        following.add(follower);
        if (moreRecent(m.current(), Transaction.last(m.history()), historyEpoch, Transaction.last(history))) {
            historyEpoch = m.current();
            history = new ArrayList<>(m.history());
        }
        if (following.size() >= quorum()) {
            phase = Phase.SYNCHRONIZATION;
            send(following, new NewLeader(round, epoch, initialHistory()));
            following.clear();
        }
    }

    /**
     * Whether a history is more recent than another, given the current epochs of the followers that have
     * them, and their last zxids.
     */
    protected boolean moreRecent(int current, Zxid last, int thanCurrent, Zxid thanLast) {
        return current > thanCurrent || current == thanCurrent && last.compareTo(thanLast) > 0;
    }

    /** What the epoch begins with: the history without the leader's own proposals. */
    private List<Transaction> initialHistory() {
        return history.stream().filter(t -> t.zxid().epoch() < epoch).toList();
    }

    // Phase 2: synchronization.

    @Handler
    void on(AckLeader m, ActorName follower) {
        if (!regards(m.round())) {
            return;
        }
        peers.put(follower, "synced");
        synced.add(follower);
        if (established) {
            bringUpToDate(follower);
        } else if (synced.size() >= quorum()) {
            phase = Phase.BROADCAST;
            established = true;
            committed = history.size();
            log.add("established in epoch " + epoch);
            send(synced, new CommitLeader(round, epoch));
            proposeEpoch();
            for (int i = 1; i <= broadcasts; i++) {
                broadcast(new Transaction(new Zxid(epoch, i), self() + "#" + i));
            }
        }
    }

    /** Sends a follower that comes late what it has missed of the epoch. */
    private void bringUpToDate(ActorName follower) {
        send(follower, new CommitLeader(round, epoch));
        for (int i = initialHistory().size(); i < history.size(); i++) {
            send(follower, new Propose(round, history.get(i)));
            if (i < committed) {
                send(follower, new Commit(round, history.get(i).zxid()));
            }
        }
    }

    // Phase 3: broadcast.

    private void broadcast(Transaction t) {
        history.add(t);
        acks.put(t.zxid(), new HashSet<>());
        send(synced, new Propose(round, t));
    }

    @Handler
    void on(Ack m, ActorName follower) {
        if (!regards(m.round())) {
            return;
        }
        Set<ActorName> by = acks.get(m.zxid());
        if (by == null) {
            ignored++; // a quorum was faster
            return;
        }
        by.add(follower);
        while (committed < history.size() && acks.get(history.get(committed).zxid()).size() >= quorum()) {
            Zxid zxid = history.get(committed).zxid();
            acks.remove(zxid);
            committed++;
            send(synced, new Commit(round, zxid));
        }
    }

    /** Counts a message, and reports whether it is of the round in which the leader stands. */
    private boolean regards(int round) {
        received++;
        if (phase == Phase.STOOD_DOWN || round != this.round) {
            ignored++;
            return false;
        }
        return true;
    }

    private int quorum() {
        return followers.size() / 2 + 1;
    }

    /** The epoch in which it was established, 0 if it was not. */
    int establishedEpoch() {
        return established ? epoch : 0;
    }

    /** Whether it leads or may still come to lead. */
    boolean stands() {
        return phase != Phase.STOOD_DOWN;
    }

    /** Whether it leads, as far as it knows. */
    boolean leads() {
        return phase == Phase.BROADCAST;
    }

    /** The history, with the transactions that it has broadcast. */
    List<Transaction> history() {
        return history;
    }
}
