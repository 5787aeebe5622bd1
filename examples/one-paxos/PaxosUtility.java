package onepaxos;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import onepaxos.Messages.Entry;
import onepaxos.Messages.LogAccept;
import onepaxos.Messages.LogLearn;
import onepaxos.Messages.LogPrepare;
import onepaxos.Messages.LogPromise;
import onepaxos.Messages.Vote;

/**
 * The lower layer of a node: a log that is the same at all nodes. Which entry comes to a place is decided by a Paxos of
 * that place alone, among all nodes.
 */
public abstract class PaxosUtility extends Actor {
    private List<ActorName> nodes = List.of();
    private final List<Entry> log = new ArrayList<>();
    private final Map<Integer, Place> places = new TreeMap<>();

    /** What this node is about to add to the log, null for nothing, and the ballot under which it proposes that. */
    private Entry wanted;
    private int logBallot;

    /** What a node knows of the Paxos that decides one place of the log. */
    private static final class Place {
        int promises;
        Vote best;

        int promised;
        Vote accepted;

        final Map<Integer, Integer> votes = new TreeMap<>();
        Entry decided;
    }

    /** Begins with a log that all nodes know. */
    protected final void begin(List<ActorName> all, List<Entry> first) {
        nodes = all;
        log.addAll(first);
    }

    /** All nodes; none before this one has begun. */
    protected final List<ActorName> nodes() {
        return nodes;
    }

    /** The log as far as this node knows it. */
    protected final List<Entry> log() {
        return log;
    }

    /** Adds an entry at the first place that nobody else gets. If messages are lost, this has to be called again. */
    protected final void add(Entry entry) {
        wanted = entry;
        propose();
    }

    /** Called when an entry has been added to the log, by whomever. */
    protected abstract void added(int place, Entry entry);

    protected final boolean hasBegun() {
        return !nodes.isEmpty();
    }

    /** Whether the node takes messages yet. */
    protected final boolean isReady(Object message) {
        return hasBegun();
    }

    private Place place(int number) {
        return places.computeIfAbsent(number, n -> new Place());
    }

    private boolean isMajority(int count) {
        return count == nodes.size() / 2 + 1;
    }

    /** Proposes under the node's next ballot: no two nodes have the same. */
    private void propose() {
        logBallot = logBallot == 0 ? nodes.indexOf(self()) + 1 : logBallot + nodes.size();
        Place p = place(log.size());
        p.promises = 0;
        p.best = null;
        send(nodes, new LogPrepare(log.size(), logBallot));
    }

    @Handler(when = "isReady")
    void on(LogPrepare m) {
        Place p = place(m.place());
        if (m.ballot() > p.promised) {
            p.promised = m.ballot();
            reply(new LogPromise(m.place(), m.ballot(), p.accepted));
        }
    }

    @Handler(when = "isReady")
    void on(LogPromise m) {
        Place p = place(m.place());
        if (m.place() < log.size() || m.ballot() != logBallot || p.promises > nodes.size() / 2) {
            return; // it comes too late to matter
        }
        p.promises++;
        if (m.accepted() != null && (p.best == null || m.accepted().ballot() > p.best.ballot())) {
            p.best = m.accepted();
        }
        if (isMajority(p.promises)) {
            send(nodes, new LogAccept(m.place(), new Vote(logBallot, p.best == null ? wanted : p.best.entry())));
        }
    }

    @Handler(when = "isReady")
    void on(LogAccept m) {
        Place p = place(m.place());
        if (m.vote().ballot() >= p.promised) {
            p.promised = m.vote().ballot();
            p.accepted = m.vote();
            send(nodes, new LogLearn(m.place(), m.vote()));
        }
    }

    @Handler(when = "isReady")
    void on(LogLearn m) {
        if (m.place() < log.size()) {
            return;
        }
        Place p = place(m.place());
        if (isMajority(p.votes.merge(m.vote().ballot(), 1, Integer::sum))) {
            p.decided = m.vote().entry();
            extend();
        }
    }

    /** Adds to the log what is decided for its next places. */
    private void extend() {
        while (places.containsKey(log.size()) && places.get(log.size()).decided != null) {
            Entry entry = places.get(log.size()).decided;
            log.add(entry);
            if (entry.equals(wanted)) {
                wanted = null;
            } else if (wanted != null) {
                propose();
            }
            added(log.size() - 1, entry);
        }
    }
}
