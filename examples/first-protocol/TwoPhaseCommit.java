import harrier.*;
import java.util.*;

/**
 * Two-phase commit. A coordinator asks all participants to prepare, and commits if all vote yes.
 *
 * <p>Expected: verified.
 */
public class TwoPhaseCommit extends Scenario {
    record Prepare() {}

    record Vote(boolean yes) {}

    record Decide(boolean commit) {}

    enum Outcome { UNDECIDED, COMMITTED, ABORTED }

    /** Collects the votes, decides once, and tells everybody. */
    static class Coordinator extends Actor {
        private final List<ActorName> participants;
        private final Set<ActorName> agreed = new HashSet<>();
        private boolean decided;

        Coordinator(List<ActorName> participants) {
            this.participants = participants;
        }

        @Override
        protected void start() {
            send(participants, new Prepare());
        }

        @Handler(when = "undecided")
        void on(Vote vote, ActorName voter) {
            if (!vote.yes()) {
                decide(false);
                return;
            }
            agreed.add(voter);
            if (mayCommit(agreed.size(), participants.size())) {
                decide(true);
            }
        }

        boolean undecided() {
            return !decided;
        }

        /** Whether it is time to commit when so many of the participants have agreed. */
        boolean mayCommit(int agreed, int participants) {
            return agreed == participants;
        }

        private void decide(boolean commit) {
            decided = true;
            send(participants, new Decide(commit));
        }
    }

    /** Votes, and then does what the coordinator decides. */
    static class Participant extends Actor {
        private Outcome outcome = Outcome.UNDECIDED;

        Outcome outcome() {
            return outcome;
        }

        @Handler
        void on(Prepare m) {
            boolean yes = choose(2) == 1;
            if (!yes) {
                outcome = Outcome.ABORTED; // who votes no knows the end already
            }
            reply(new Vote(yes));
        }

        @Handler
        void on(Decide m) {
            if (outcome == Outcome.UNDECIDED) {
                outcome = m.commit() ? Outcome.COMMITTED : Outcome.ABORTED;
            }
        }
    }

    @Parameter("how many participants")
    int participants = 3;

    @Override
    protected void setUp() {
        List<ActorName> all = create("participant", participants, i -> new Participant());
        create("coordinator", coordinator(all));
    }

    /** The coordinator; the wrong version has another one. */
    Coordinator coordinator(List<ActorName> participants) {
        return new Coordinator(participants);
    }

    @Invariant("nobody commits while another aborts")
    boolean agreement() {
        return actors(Participant.class)
            .map(Participant::outcome)
            .filter(o -> o != Outcome.UNDECIDED)
            .distinct()
            .count() <= 1;
    }

    @Override
    protected boolean expectFinal() {
        return actors(Participant.class).allMatch(p -> p.outcome() != Outcome.UNDECIDED);
    }
}
