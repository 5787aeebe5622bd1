import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * All tell all others what they vote, and count the votes.
 *
 * <p>Expected: verified.
 */
public final class Vote extends Scenario {
    record Ballot(boolean yes) {}

    static final class Voter extends Actor {
        private final List<ActorName> all;
        private boolean voted;
        private int ballots;
        private int yes;

        Voter(List<ActorName> all) {
            this.all = all;
        }

        @Internal(when = "hasToVote")
        void vote() {
            Ballot own = new Ballot(choose(2) == 1);
            voted = true;
            count(own);
            for (ActorName voter : all) {
                if (!voter.equals(self())) {
                    send(voter, own);
                }
            }
        }

        boolean hasToVote() {
            return !voted;
        }

        @Handler
        void count(Ballot b) {
            ballots++;
            yes += b.yes() ? 1 : 0;
        }

        boolean isDone() {
            return ballots == all.size();
        }

        boolean accepts() {
            return 2 * yes > all.size();
        }
    }

    @Parameter int voters = 3;

    @Override
    protected void setUp() {
        List<ActorName> all = names("voter", voters);
        create("voter", voters, i -> new Voter(all));
    }

    @Invariant("who has counted all votes has the same result")
    boolean agreement() {
        return actors(Voter.class).filter(Voter::isDone).map(Voter::accepts).distinct().count() <= 1;
    }

    @Override
    protected boolean expectFinal() {
        return actors(Voter.class).allMatch(Voter::isDone);
    }
}
