package zab;

import harrier.ActorName;
import harrier.EventuallyAlways;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * Zab's liveness: in the end some leader has delivered all that it knows to a quorum, for good. {@link Zab} says it of terminal states;
 * here it is said of fair runs, with no other property beside it. Where followers do not break ties between leaders that stand in
 * the same round, every leader of three may hear of two followers that follow others, and stand down.
 *
 * <p>Expected: verified; violated with {@code --set leaders=3,ties=false}.
 */
public final class ZabLive extends Scenario {
    @Parameter("how many servers may lead; each stands for election")
    int leaders = 2;

    @Parameter("how many followers; a majority is a quorum")
    int followers = 2;

    @Parameter("how many transactions each leader broadcasts when it is established")
    int broadcasts = 1;

    @Parameter("whether followers break ties between leaders by their ids")
    boolean ties = true;

    @Override
    protected void setUp() {
        List<ActorName> all = create("follower", followers, i -> ties ? new Follower() : new FirstCome());
        create("leader", leaders, i -> new Leader(i + 1, all, broadcasts, false));
    }

    /** Votes for the first leader of a round. */
    static final class FirstCome extends Follower {
        @Override
        protected boolean prefers(Vote candidate, Vote vote) {
            return candidate.round() > vote.round();
        }
    }

    @EventuallyAlways("some leader has delivered all that it knows to a quorum")
    boolean settled() {
        return actors(Leader.class).filter(Leader::leads).anyMatch(leader -> actors(Follower.class)
            .filter(f -> f.activeWith(leader.self()) && f.delivered().equals(leader.history())).count() > followers / 2);
    }
}
