package kv;

import harrier.ActorName;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * A key-value store of a leader and a follower, with clients that read and write for ever. A client's requests are
 * numbered modulo two: channels keep the order, so that is enough to carry out each at most once.
 *
 * <p>Expected: verified.
 */
public class Kv extends Scenario {
    @Parameter("how many clients read and write")
    protected int clients = 2;

    @Parameter("how many keys there are")
    protected int keys = 1;

    @Parameter("how many values a key may have")
    protected int values = 1;

    @Parameter("how often the leader may crash")
    protected int crashes = 1;

    @Override
    protected void setUp() {
        linearizable(Entry.class);
        network().fifo();
        ActorName follower = create("follower", follower());
        ActorName leader = create("leader", leader(follower, names("client", clients)));
        ActorName reads = isReadFromFollower() ? follower : leader;
        create("client", clients, i -> new Client(leader, reads, keys, values));
        faults().crashes(crashes, "leader").withinHandlers();
    }

    /** The replica that orders requests. */
    protected Leader leader(ActorName follower, List<ActorName> clients) {
        return new Leader(follower, clients);
    }

    /** The other replica. */
    protected Follower follower() {
        return new Follower();
    }

    /** Whether clients send their reads to the follower. */
    protected boolean isReadFromFollower() {
        return false;
    }
}
