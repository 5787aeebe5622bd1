import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;

/**
 * Two-phase commit whose participants vote as they like, and whose coordinator waits for all votes: of n participants there are
 * 2^n ways to vote, and n! orders in which the votes come in. What must not happen is seen by one participant: an invariant over
 * several would make the order of their steps matter.
 *
 * <p>Expected: verified; 2^n n! runs of --search stateless --por dynamic.
 */
public final class Commit extends Scenario {
    record Prepare() {}

    record Vote(boolean yes) {}

    record Decide(boolean commit) {}

    static final class Coordinator extends Actor {
        private final List<ActorName> participants;
        private int votes;
        private int agreed;

        Coordinator(List<ActorName> participants) {
            this.participants = participants;
        }

        @Override
        protected void start() {
            send(participants, new Prepare());
        }

        @Handler
        void on(Vote m) {
            votes++;
            if (m.yes()) {
                agreed++;
            }
            if (votes == participants.size()) {
                send(participants, new Decide(agreed == votes));
            }
        }
    }

    static final class Participant extends Actor {
        private boolean yes;

        @Handler
        void on(Prepare m) {
            yes = choose(2) == 1;
            reply(new Vote(yes));
        }

        @Handler
        void on(Decide m) {
            if (m.commit() && !yes) {
                throw new IllegalStateException("who voted no is to commit");
            }
        }
    }

    @Parameter("how many participants")
    int n = 5;

    @Override
    protected void setUp() {
        create("coordinator", new Coordinator(create("participant", n, i -> new Participant())));
    }
}
