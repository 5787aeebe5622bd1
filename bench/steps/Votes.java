import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Scenario;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.VoteRequestData;
import org.apache.kafka.common.message.VoteRequestData.PartitionData;
import org.apache.kafka.common.message.VoteRequestData.TopicData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;

/**
 * Voters that write and read the messages of Apache Kafka, whose schemas are in 2,000 static fields that reach 14,500 objects:
 * what {@code make bench-steps} measures.
 */
public final class Votes extends Scenario {
    record Start(int id, List<ActorName> peers) {}

    record Wire(byte[] bytes) {}

    static final class Voter extends Actor {
        private int epoch;
        private int voted = -1;
        private VoteRequestData last;

        @Handler
        void on(Start m) {
            epoch++;
            voted = m.id();
            TopicData topic = new TopicData().setTopicName("t").setPartitions(new ArrayList<>(List.of(
                new PartitionData().setCandidateEpoch(epoch).setCandidateId(voted))));
            VoteRequestData vote = new VoteRequestData().setClusterId("c").setTopics(new ArrayList<>(List.of(topic)));
            send(m.peers(), new Wire(MessageUtil.toByteBuffer(vote, ApiKeys.VOTE.latestVersion()).array()));
        }

        @Handler
        void on(Wire m) {
            VoteRequestData vote = new VoteRequestData(new ByteBufferAccessor(ByteBuffer.wrap(m.bytes())),
                ApiKeys.VOTE.latestVersion());
            PartitionData partition = vote.topics().get(0).partitions().get(0);
            if (partition.candidateEpoch() > epoch || voted < 0) {
                epoch = partition.candidateEpoch();
                voted = partition.candidateId();
                last = vote;
            }
        }
    }

    @Override
    protected void setUp() {
        ApiKeys.VOTE.latestVersion(); // initializes the classes of all messages
        List<ActorName> voters = create("voter", 3, i -> new Voter());
        for (int i = 0; i < voters.size(); i++) {
            send(voters.get(i), new Start(i, voters));
        }
    }
}
