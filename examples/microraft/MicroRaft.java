package microraft;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import io.microraft.impl.log.RaftLog;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * The Raft implementation io.microraft:microraft, unmodified: nodes that elect a leader, which replicates an operation.
 * {@code make libraries} fetches it; then:
 *
 * <pre>{@code
 * harrier check examples/microraft --classpath 'examples/microraft/lib/*' --symmetry off
 * }</pre>
 *
 * <p>Expected: verified.
 */
public final class MicroRaft extends Scenario {
    @Parameter int nodes = 3;
    /** How many scheduled tasks of each node may run: timeouts, heartbeats. */
    @Parameter int timeouts = 0;
    /** How many operations each node may replicate while it is the leader. */
    @Parameter int operations = 1;
    /** Whether messages from one node to another arrive in the order in which they were sent, as over TCP. */
    @Parameter boolean fifo = true;
    /**
     * How many times a node crashes and starts again. With one, a term may get two leaders: the library's NopRaftStore
     * keeps nothing, so a node forgets whom it voted for.
     */
    @Parameter int crashes = 0;

    @Override protected void setUp() {
        LoggerFactory.getLogger(MicroRaft.class); // it notes in a static field what it finds at its first call
        faults().crashes(crashes, "node");
        // Long after the heartbeat that a leader is held to have sent in 1970, so that nodes vote for another.
        clock().startsAt(Instant.parse("2000-01-01T00:00:00Z"));
        if (fifo) {
            network().fifo("node");
        }
        List<ActorName> members = create("node", nodes, i -> new RaftActor(timeouts, operations));
        members.forEach(m -> send(m, new RaftActor.Start(members)));
    }

    private List<RaftActor> started() { return actors(RaftActor.class).filter(RaftActor::isStarted).toList(); }

    @Invariant("there is one leader a term")
    boolean oneLeader() {
        Set<Integer> terms = new HashSet<>();
        return started().stream().allMatch(a -> a.led().stream().allMatch(terms::add));
    }

    @Invariant("logs that agree on an entry agree on all before it")
    boolean logsMatch() {
        List<RaftActor> nodes = started();
        return nodes.stream().allMatch(a -> nodes.stream().allMatch(b -> match(a.state().log(), b.state().log())));
    }

    private static boolean match(RaftLog a, RaftLog b) {
        boolean agree = false;
        for (long i = Math.min(a.lastLogOrSnapshotIndex(), b.lastLogOrSnapshotIndex()); i > 0; i--) {
            boolean same = a.getLogEntry(i).getTerm() == b.getLogEntry(i).getTerm();
            if (agree && !same || same && !a.getLogEntry(i).getOperation().equals(b.getLogEntry(i).getOperation())) {
                return false;
            }
            agree = agree || same;
        }
        return true;
    }

    @Invariant("what one node has committed no other node has otherwise")
    boolean committedEntriesStay() {
        List<RaftActor> nodes = started();
        return nodes.stream().allMatch(a -> nodes.stream().allMatch(b -> {
            int both = Math.min(a.applied().size(), b.applied().size());
            return a.applied().subList(0, both).equals(b.applied().subList(0, both));
        }));
    }
}
