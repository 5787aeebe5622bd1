package zab;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.HashSet;
import java.util.List;

/**
 * Zab, the atomic broadcast of ZooKeeper: Junqueira, Reed and Serafini, "Zab: High-performance
 * broadcast for primary-backup systems", DSN 2011. As in the paper, what a server does as a leader and
 * what it does as a follower are apart; here they are actors of their own. A quorum is a majority of
 * the followers.
 *
 * <p>The paper leaves the election open. Here every leader stands for election, and a follower follows
 * whoever has the highest vote that it has heard of: a later round, or a higher id in the same round. So
 * leaders are deserted at any time, also after they were established, which stands for crashes and
 * partitions. Safety does not depend on the election. Liveness does: there is a highest vote, and nobody
 * deserts the leader that has it. The state properties for that are that some leader is always left, and
 * that in the end a quorum has delivered all that one leader has broadcast.
 *
 * <p>Expected: verified.
 */
public class Zab extends Scenario {
    @Parameter("how many servers may lead; each stands for election")
    protected int leaders = 2;

    @Parameter("how many followers; a majority is a quorum")
    protected int followers = 3;

    @Parameter("how many transactions each leader broadcasts when it is established")
    protected int broadcasts = 1;

    @Parameter("how many of the leaders may time out once, and stand for election again")
    protected int timeouts;

    @Override
    protected void setUp() {
        List<ActorName> all = create("follower", followers, i -> follower());
        create("leader", leaders, i -> leader(i + 1, all, i < timeouts));
    }

    /** A follower; a wrong version has others. */
    protected Follower follower() {
        return new Follower();
    }

    /** The leader with an id; a wrong version has others. */
    protected Leader leader(int id, List<ActorName> followers, boolean timer) {
        return new Leader(id, followers, broadcasts, timer);
    }

    @Invariant("an epoch has at most one established leader")
    boolean oneLeaderPerEpoch() {
        List<Integer> epochs = actors(Leader.class).map(Leader::establishedEpoch).filter(e -> e > 0).toList();
        return new HashSet<>(epochs).size() == epochs.size();
    }

    @Invariant("followers deliver the same transactions in the same order, each once")
    boolean totalOrder() {
        List<List<Transaction>> delivered = actors(Follower.class).map(Follower::delivered).toList();
        return delivered.stream().allMatch(a -> increases(a) && delivered.stream().allMatch(b -> agree(a, b)));
    }

    private static boolean increases(List<Transaction> delivered) {
        for (int i = 1; i < delivered.size(); i++) {
            if (delivered.get(i - 1).zxid().compareTo(delivered.get(i).zxid()) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean agree(List<Transaction> a, List<Transaction> b) {
        int common = Math.min(a.size(), b.size());
        return a.subList(0, common).equals(b.subList(0, common));
    }

    @Invariant("some leader leads or may still come to lead")
    boolean someLeaderLeft() {
        return actors(Leader.class).anyMatch(Leader::stands);
    }

    /** In the end some leader has delivered all that it knows, which includes its own, to a quorum. */
    @Override
    protected boolean expectFinal() {
        return actors(Leader.class).filter(Leader::leads).anyMatch(this::hasDelivered);
    }

    private boolean hasDelivered(Leader leader) {
        return actors(Follower.class)
            .filter(f -> f.activeWith(leader.self()) && f.delivered().equals(leader.history()))
            .count() > followers / 2;
    }
}
