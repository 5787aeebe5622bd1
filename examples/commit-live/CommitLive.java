package commitlive;

import harrier.Actor;
import harrier.ActorName;
import harrier.Eventually;
import harrier.Handler;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * Two-phase commit blocks: if the coordinator stops, managers that are prepared never learn what was decided, though all messages are
 * delivered (Gray and Lamport, "Consensus on Transaction Commit", section 3.2). While it runs, all of them do. This is a smaller one
 * than {@code examples/two-phase-commit}: managers always vote, yes or no.
 *
 * <p>Expected: violated (the manager learns the decision); verified with {@code --set stops=0}.
 */
public final class CommitLive extends Scenario {
    record Prepare() {}

    record Vote(boolean yes) {}

    record Decision(boolean commit) {}

    /** Decides when all have voted. */
    static final class Coordinator extends Actor {
        private final List<ActorName> managers;
        private int votes;
        private boolean refused;

        Coordinator(List<ActorName> managers) {
            this.managers = managers;
        }

        @Override
        protected void start() {
            send(managers, new Prepare());
        }

        @Handler
        void on(Vote m) {
            votes++;
            refused |= !m.yes();
            if (votes == managers.size()) {
                send(managers, new Decision(!refused));
            }
        }
    }

    /** Holds a resource until it learns the decision. */
    static final class Manager extends Actor {
        private boolean decided;

        @Handler
        void on(Prepare m) {
            reply(new Vote(choose(2) == 1));
        }

        @Handler
        void on(Decision m) {
            decided = true;
        }
    }

    @Parameter("how many managers")
    int managers = 3;

    @Parameter("how often the coordinator may stop")
    int stops = 1;

    @Override
    protected void setUp() {
        List<ActorName> all = create("manager", managers, i -> new Manager());
        create("coordinator", new Coordinator(all));
        faults().stops(stops, "coordinator");
    }

    @Eventually("the manager learns the decision")
    boolean decided(Manager m) {
        return m.decided;
    }
}
