import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import harrier.Sometimes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Two-phase commit as in Gray and Lamport, "Consensus on Transaction Commit", section 3 and appendix A.2: the transaction manager may
 * abort at any time before it has decided. There, messages stay in a set for ever. Here, they are consumed, but not where they would
 * change nothing, and the one that has somebody abort is sent again, since who aborts by himself does not consume it. So what was ever
 * sent can be told from the state, and states correspond one to one.
 *
 * <p>Expected: verified; of 3, 5 and 7 resource managers 288, 8,832 and 296,448 states without reductions.
 */
public final class TwoPhase extends Scenario {
    record Prepared(ActorName manager) {}

    record Commit() {}

    record Abort() {}

    enum Stage { WORKING, PREPARED, COMMITTED, ABORTED }

    static final class TransactionManager extends Actor {
        private final List<ActorName> managers;
        private final Set<ActorName> prepared = new HashSet<>();
        private boolean decided;

        TransactionManager(List<ActorName> managers) {
            this.managers = managers;
        }

        boolean undecided() {
            return !decided;
        }

        boolean complete() {
            return !decided && prepared.size() == managers.size();
        }

        @Handler(when = "undecided")
        void on(Prepared m) {
            prepared.add(m.manager());
        }

        @Internal(when = "complete")
        void commit() {
            decided = true;
            send(managers, new Commit());
        }

        @Internal(when = "undecided")
        void abort() {
            decided = true;
            send(managers, new Abort());
        }
    }

    static final class ResourceManager extends Actor {
        private final ActorName manager;
        private Stage stage = Stage.WORKING;

        ResourceManager(ActorName manager) {
            this.manager = manager;
        }

        boolean working() {
            return stage == Stage.WORKING;
        }

        boolean notAborted() {
            return stage != Stage.ABORTED;
        }

        @Internal(when = "working")
        void prepare() {
            stage = Stage.PREPARED;
            send(manager, new Prepared(self()));
        }

        @Internal(when = "working")
        void chooseToAbort() {
            stage = Stage.ABORTED;
        }

        @Handler
        void on(Commit m) {
            stage = Stage.COMMITTED;
        }

        @Handler(when = "notAborted")
        void on(Abort m) {
            stage = Stage.ABORTED;
            send(self(), m);
        }
    }

    @Parameter("how many resource managers")
    int n = 3;

    @Override
    protected void setUp() {
        ActorName manager = names("transactions", 1).get(0);
        create("transactions", 1, i -> new TransactionManager(names("resources", n)));
        create("resources", n, i -> new ResourceManager(manager));
    }

    @Invariant("no resource manager commits while another aborts")
    boolean consistent() {
        return !any(Stage.COMMITTED) || !any(Stage.ABORTED);
    }

    @Sometimes("all commit")
    boolean committed() {
        return actors(ResourceManager.class).allMatch(m -> m.stage == Stage.COMMITTED);
    }

    @Sometimes("all abort")
    boolean aborted() {
        return actors(ResourceManager.class).allMatch(m -> m.stage == Stage.ABORTED);
    }

    private boolean any(Stage stage) {
        return actors(ResourceManager.class).anyMatch(m -> m.stage == stage);
    }
}
