package zabfaulty;

import zab.Follower;
import zab.Vote;
import zab.Zab;

/**
 * Zab in which followers do not break ties between leaders that stand in the same round: the first to
 * ask gets the vote, and the ids are forgotten. Among three followers two leaders still get along, as
 * one of them has a majority. Three leaders may get a vote each; then every leader hears of two
 * followers that follow others, and stands down.
 *
 * <p>Expected: violated (some leader leads or may still come to lead).
 */
public final class ZabFaulty extends Zab {
    public ZabFaulty() {
        leaders = 3;
    }

    @Override
    protected Follower follower() {
        return new FirstCome();
    }

    /** Votes for the first leader of a round. */
    static final class FirstCome extends Follower {
        @Override
        protected boolean prefers(Vote candidate, Vote vote) {
            return candidate.round() > vote.round();
        }
    }
}
