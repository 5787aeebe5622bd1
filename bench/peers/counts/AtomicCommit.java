import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Atomic commitment with a simple broadcast, after Babaoglu and Toueg, "Non-Blocking Atomic Commitment" (in Mullender, "Distributed
 * Systems", 1993). A broadcast is one message after another, and who dies in between leaves the rest without. Who waits for somebody who
 * died without a word decides to abort: the dead tell those who would wait. Of messages that may be read for ever one is always on its
 * way; all others are consumed once.
 *
 * <p>Expected: verified; 54,944 states without reductions of all eight ways in which three participants can vote.
 */
public final class AtomicCommit extends Scenario {
    enum Decision { UNDECIDED, COMMIT, ABORT }

    record Request() {}

    record Vote(ActorName participant, boolean yes) {}

    record Decided(Decision decision) {}

    record CoordinatorDied() {}

    record ParticipantDied(ActorName participant) {}

    static final class Coordinator extends Actor {
        private final List<ActorName> participants;
        private final Set<ActorName> requested = new HashSet<>();
        private final Map<ActorName, Boolean> votes = new HashMap<>();
        private final Set<ActorName> told = new HashSet<>();
        private Decision decision = Decision.UNDECIDED;
        private boolean alive = true;

        Coordinator(List<ActorName> participants) {
            this.participants = participants;
        }

        boolean collects() {
            return alive && decision == Decision.UNDECIDED && requested.size() == participants.size();
        }

        boolean waitsFor(ParticipantDied m) {
            return collects() && !votes.containsKey(m.participant());
        }

        boolean mayRequest() {
            return alive && requested.size() < participants.size();
        }

        boolean mayDecide() {
            return alive && decision == Decision.UNDECIDED && votes.size() == participants.size();
        }

        boolean mayTell() {
            return alive && decision != Decision.UNDECIDED && told.size() < participants.size();
        }

        boolean alive() {
            return alive;
        }

        private ActorName oneBut(Set<ActorName> some) {
            List<ActorName> rest = new ArrayList<>(participants);
            rest.removeAll(some);
            return rest.get(choose(rest.size()));
        }

        @Internal(when = "mayRequest")
        void request() {
            ActorName participant = oneBut(requested);
            requested.add(participant);
            send(participant, new Request());
        }

        @Handler(when = "collects")
        void on(Vote m) {
            votes.put(m.participant(), m.yes());
        }

        @Handler(when = "waitsFor")
        void on(ParticipantDied m) {
            decision = Decision.ABORT;
            send(self(), m);
        }

        @Internal(when = "mayDecide")
        void decide() {
            decision = votes.containsValue(false) ? Decision.ABORT : Decision.COMMIT;
        }

        @Internal(when = "mayTell")
        void tell() {
            ActorName participant = oneBut(told);
            told.add(participant);
            send(participant, new Decided(decision));
        }

        @Internal(when = "alive")
        void die() {
            alive = false;
            for (ActorName participant : participants) {
                if (!requested.contains(participant)) {
                    send(participant, new CoordinatorDied());
                }
            }
        }
    }

    static final class Participant extends Actor {
        private final ActorName coordinator;
        private final boolean yes;
        private boolean voted;
        private boolean alive = true;
        private Decision decision = Decision.UNDECIDED;

        Participant(ActorName coordinator, boolean yes) {
            this.coordinator = coordinator;
            this.yes = yes;
        }

        boolean alive() {
            return alive;
        }

        boolean undecided() {
            return alive && decision == Decision.UNDECIDED;
        }

        boolean mayAbort() {
            return undecided() && voted && !yes;
        }

        @Handler(when = "alive")
        void on(Request m) {
            voted = true;
            send(coordinator, new Vote(self(), yes));
        }

        @Internal(when = "mayAbort")
        void abort() {
            decision = Decision.ABORT;
        }

        @Handler(when = "undecided")
        void on(CoordinatorDied m) {
            decision = Decision.ABORT;
            send(self(), m);
        }

        @Handler(when = "undecided")
        void on(Decided m) {
            decision = m.decision();
            send(self(), m);
        }

        @Internal(when = "alive")
        void die() {
            alive = false;
            if (!voted) {
                send(coordinator, new ParticipantDied(self()));
            }
        }
    }

    @Parameter("how many participants")
    int n = 3;

    @Parameter("who votes yes: 1 for the first, 2 for the second, 4 for the third, or a sum of these")
    int votes = 7;

    @Override
    protected void setUp() {
        List<ActorName> all = names("participant", n);
        ActorName coordinator = create("coordinator", new Coordinator(all));
        create("participant", n, i -> new Participant(coordinator, (votes >> i & 1) == 1));
    }

    private boolean any(Decision decision) {
        return actors(Participant.class).anyMatch(p -> p.decision == decision);
    }

    @Invariant("no participant commits while another aborts")
    boolean agreement() {
        return !any(Decision.COMMIT) || !any(Decision.ABORT);
    }

    @Invariant("who commits had a yes of all")
    boolean validity() {
        return !any(Decision.COMMIT) || actors(Participant.class).allMatch(p -> p.yes);
    }

    @Invariant("who aborts had a no, or somebody died")
    boolean nonTriviality() {
        return !any(Decision.ABORT) || actors(Participant.class).anyMatch(p -> !p.yes || !p.alive)
                || actors(Coordinator.class).anyMatch(c -> !c.alive);
    }
}
