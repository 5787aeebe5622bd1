package twophasecommit;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Two-phase commit (Gray and Lamport, "Consensus on Transaction Commit", section 3): a coordinator asks all managers of
 * resources to prepare, and commits if all vote yes. A manager that was not asked yet may abort by itself.
 *
 * <p>The managers are symmetric, so any of them may take the place of any other: with n managers, symmetry reduction has
 * the group of all n! permutations. That is so because nothing here depends on an order of managers: they have no
 * numbers, votes are counted in a set, and the list that {@code create} returns is only sent to.
 *
 * <p>Expected: verified; violated with {@code --set missing=1}.
 */
public final class TwoPhaseCommit extends Scenario {
    record Prepare() {}

    record Vote(boolean yes) {}

    record Decide(boolean commit) {}

    enum Stage { WORKING, PREPARED, COMMITTED, ABORTED }

    /** Counts the votes, decides once, and tells who is prepared. */
    static final class Coordinator extends Actor {
        private final List<ActorName> managers;
        /** How many votes of yes it takes to commit. */
        private final int needed;
        /** Who voted yes and has not been told the decision. */
        private final Set<ActorName> prepared = new HashSet<>();
        /** Null until there is one. */
        private Decide decision;

        Coordinator(List<ActorName> managers, int needed) {
            this.managers = managers;
            this.needed = needed;
        }

        @Override
        protected void start() {
            send(managers, new Prepare());
        }

        @Handler
        void on(Vote m, ActorName manager) {
            if (m.yes()) {
                prepared.add(manager);
            }
            if (decision == null && (!m.yes() || prepared.size() >= needed)) {
                decision = new Decide(m.yes());
            }
            if (decision != null) {
                send(prepared, decision);
                prepared.clear();
            }
        }
    }

    /** Holds one of the resources. */
    static final class Manager extends Actor {
        private Stage stage = Stage.WORKING;

        @Internal(when = "working")
        void abort() {
            stage = Stage.ABORTED;
        }

        boolean working() {
            return stage == Stage.WORKING;
        }

        @Handler
        void on(Prepare m) {
            if (working()) {
                stage = Stage.PREPARED;
            }
            reply(new Vote(stage == Stage.PREPARED));
        }

        @Handler
        void on(Decide m) {
            stage = m.commit() ? Stage.COMMITTED : Stage.ABORTED;
        }
    }

    @Parameter("how many managers")
    int managers = 3;

    @Parameter("without how many votes the coordinator commits; it should wait for all")
    int missing = 0;

    @Override
    protected void setUp() {
        List<ActorName> all = create("manager", managers, i -> new Manager());
        create("coordinator", new Coordinator(all, managers - missing));
    }

    @Invariant("no manager commits while another aborts")
    boolean consistent() {
        return !any(Stage.COMMITTED) || !any(Stage.ABORTED);
    }

    private boolean any(Stage stage) {
        return actors(Manager.class).anyMatch(m -> m.stage == stage);
    }

    /** In the end everybody knows. */
    @Override
    protected boolean expectFinal() {
        return !any(Stage.WORKING) && !any(Stage.PREPARED);
    }
}
