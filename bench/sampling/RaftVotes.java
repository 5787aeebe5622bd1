import harrier.Actor;
import harrier.ActorName;
import harrier.Durable;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Elections of Raft (Ongaro, Ousterhout, USENIX ATC 2014, section 5.2). A node forgets in a crash for whom it voted, so that two leaders
 * may be elected in one term: an election, a crash of a node that voted, and another election in the same term, before what would tell
 * the second candidate of a later one. Expected: violated; verified with {@code --set crashes=0}.
 */
public final class RaftVotes extends Scenario {
    record RequestVote(int term) {}

    record Vote(int term) {}

    record Timeout() {}

    static final class Node extends Actor {
        private final List<ActorName> all;
        @Durable private int term;
        /** For whom it voted in the term; it should be durable. */
        private ActorName voted;
        private final Set<ActorName> votes = new HashSet<>();
        private int leads;
        private int elections;

        Node(List<ActorName> all, int elections) {
            this.all = all;
            this.elections = elections;
        }

        @Override
        protected void start() {
            setTimer(new Timeout(), Duration.ofSeconds(1));
        }

        @Handler
        void on(Timeout timeout) {
            if (elections == 0) {
                return;
            }
            elections--;
            enter(term + 1);
            voted = self();
            votes.add(self());
            for (ActorName other : all) {
                if (!other.equals(self())) {
                    send(other, new RequestVote(term));
                }
            }
            setTimer(new Timeout(), Duration.ofSeconds(1));
        }

        private void enter(int later) {
            if (later > term) {
                term = later;
                voted = null;
                votes.clear();
            }
        }

        @Handler
        void on(RequestVote request, ActorName from) {
            enter(request.term);
            if (request.term == term && (voted == null || voted.equals(from))) {
                voted = from;
                send(from, new Vote(term));
            }
        }

        @Handler
        void on(Vote vote, ActorName from) {
            if (vote.term == term && votes.add(from) && 2 * votes.size() > all.size()) {
                leads = term;
            }
        }
    }

    @Parameter("how many nodes there are")
    int nodes = 5;

    @Parameter("how often nodes may crash and start again, all together")
    int crashes = 1;

    @Parameter("how many elections each node may begin since it started")
    int elections = 1;

    @Override
    protected void setUp() {
        List<ActorName> all = names("node", nodes);
        create("node", nodes, i -> new Node(all, elections));
        faults().crashes(crashes, "node");
    }

    @Override
    protected boolean expectFinal() {
        return true;
    }

    @Invariant("each term has one leader")
    boolean oneLeader() {
        Map<Integer, Integer> leaders = new HashMap<>();
        actors(Node.class).forEach(n -> leaders.merge(n.leads, 1, Integer::sum));
        leaders.remove(0);
        return leaders.values().stream().allMatch(n -> n == 1);
    }
}
