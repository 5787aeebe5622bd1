package microraft;

import harrier.*;
import java.time.Instant;
import java.util.*;
import org.slf4j.LoggerFactory;

/**
 * Three nodes of io.microraft:microraft elect a leader, which replicates what a client writes. Nothing is handed in but transport and state machine, which
 * every user of the library writes: executor, clock and random numbers are the library's own.
 *
 * <p>Expected: verified; violated with {@code --set wrong=true}.
 */
@Allow("randomness=seed:1")
public final class MicroRaftThreads extends Scenario {
    @Parameter int nodes = 3;
    @Parameter boolean writes = true, wrong = false;
    /** How many of the library's scheduled tasks run in each node. Without a bound there are always further terms. */
    @Parameter int timeouts = 0;

    @Override protected void setUp() {
        LoggerFactory.getLogger(MicroRaftThreads.class); // it notes in a static field what it finds at its first call
        // Long after the heartbeat that a leader is held to have sent in 1970, so that nodes vote for another.
        clock().startsAt(Instant.parse("2000-01-01T00:00:00Z"));
        timers().atMost(timeouts);
        network().fifo();
        List<ActorName> names = names("node", nodes);
        create("node", nodes, i -> new Node(names, writes, wrong));
    }

    @Invariant("there is one leader a term") boolean oneLeader() {
        Set<Integer> terms = new HashSet<>();
        return actors(Node.class).allMatch(n -> n.led.stream().allMatch(terms::add));
    }

    @Invariant("what one node has committed no other node has otherwise") boolean committed() {
        List<Node> all = actors(Node.class).toList();
        return all.stream().allMatch(a -> all.stream().allMatch(b -> {
            int both = Math.min(a.applied.size(), b.applied.size());
            return a.applied.subList(0, both).equals(b.applied.subList(0, both));
        }));
    }
}
