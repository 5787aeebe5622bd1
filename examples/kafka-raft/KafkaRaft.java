package org.apache.kafka.raft;

import harrier.ActorName;
import harrier.Allow;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * The Raft implementation of Apache Kafka, org.apache.kafka:kafka-raft, unmodified: voters that elect a leader, from which
 * the others fetch records. {@code make libraries} fetches it; then:
 *
 * <pre>{@code
 * harrier check examples/kafka-raft --classpath 'examples/kafka-raft/lib/*'
 * }</pre>
 *
 * <p>Expected: verified.
 */
@Allow({"order=plain", "statics=frozen"})
public final class KafkaRaft extends Scenario {
    @Parameter int voters = 2;
    /** How many of the voters have timeouts that run out, and how many of these. */
    @Parameter int candidates = 1;
    @Parameter int timeouts = 1;
    /** How many records each voter may write while it is the leader. */
    @Parameter int writes = 1;
    /** How many times the last voter crashes and starts again. */
    @Parameter int crashes = 0;
    /** Whether its disk is lost then: it forgets whom it voted for, and an epoch may get two leaders. */
    @Parameter boolean losesDisk = false;

    @Override protected void setUp() {
        ApiKeys.VOTE.latestVersion(); // initializes the classes of all messages, which takes seconds, before any step runs
        List<ActorName> names = names("voter", voters);
        create("voter", voters, i -> new Voter(names, i < candidates ? timeouts : 0, writes, losesDisk));
        faults().crashes(crashes, names.get(voters - 1).toString());
    }

    @Invariant("there is one leader an epoch")
    boolean oneLeader() {
        Set<Integer> epochs = new HashSet<>();
        return actors(Voter.class).allMatch(v -> v.led().stream().allMatch(epochs::add));
    }

    @Invariant("what one voter has committed no other voter has otherwise")
    boolean committedRecordsStay() {
        List<Voter> all = actors(Voter.class).toList();
        return all.stream().allMatch(a -> all.stream().allMatch(b -> {
            int both = Math.min(a.committed().size(), b.committed().size());
            return a.committed().subList(0, both).equals(b.committed().subList(0, both));
        }));
    }
}
