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
 * Systems", 1993). A broadcast is one message after another, and who dies in between leaves the rest without; where it is reliable,
 * a participant passes a decision on to all others before it decides. Who waits for somebody who died without a word decides to abort:
 * the dead tell those who would wait. Messages may be received again, and guards say when that changes something: the published
 * specification has no messages, as its processes read what others have in their states.
 *
 * <p>Expected: verified; 54,944 states without reductions of all eight ways in which three participants can vote, and 4,284 of all four
 * in which two can, with a reliable broadcast.
 */
public final class AtomicCommit extends Scenario {
    enum Decision { UNDECIDED, COMMIT, ABORT }

    record Request() {}

    record Vote(ActorName participant, boolean yes) {}

    record Decided(Decision decision) {}

    record CoordinatorDied() {}

    record ParticipantDied(ActorName participant) {}

    /** Says to participants of a reliable broadcast who died, and to whom it had sent the decision. */
    record Died(ActorName who, Set<ActorName> told) {}

    /** An actor that sends messages to others one after another, in any order. */
    abstract static class Broadcaster extends Actor {
        final ActorName oneBut(Set<ActorName> some, List<ActorName> all) {
            List<ActorName> rest = new ArrayList<>(all);
            rest.removeAll(some);
            return rest.get(choose(rest.size()));
        }
    }

    static final class Coordinator extends Broadcaster {
        private final List<ActorName> participants;
        private final boolean reliable;
        private final Set<ActorName> requested = new HashSet<>();
        private final Map<ActorName, Boolean> votes = new HashMap<>();
        private final Set<ActorName> told = new HashSet<>();
        private Decision decision = Decision.UNDECIDED;
        private boolean alive = true;

        Coordinator(List<ActorName> participants, boolean reliable) {
            this.participants = participants;
            this.reliable = reliable;
        }

        private boolean collects(ActorName voter) {
            return alive && decision == Decision.UNDECIDED && requested.size() == participants.size() && !votes.containsKey(voter);
        }

        boolean waitsFor(Vote m) {
            return collects(m.participant());
        }

        boolean waitsFor(ParticipantDied m) {
            return collects(m.participant());
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

        @Internal(when = "mayRequest")
        void request() {
            ActorName participant = oneBut(requested, participants);
            requested.add(participant);
            send(participant, new Request());
        }

        @Handler(when = "waitsFor")
        void on(Vote m) {
            votes.put(m.participant(), m.yes());
        }

        @Handler(when = "waitsFor")
        void on(ParticipantDied m) {
            decision = Decision.ABORT;
        }

        @Internal(when = "mayDecide")
        void decide() {
            decision = votes.containsValue(false) ? Decision.ABORT : Decision.COMMIT;
        }

        @Internal(when = "mayTell")
        void tell() {
            ActorName participant = oneBut(told, participants);
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
            if (reliable) {
                send(participants, new Died(self(), Set.copyOf(told)));
            }
        }
    }

    static class Participant extends Broadcaster {
        final ActorName coordinator;
        private final boolean yes;
        private boolean voted;
        private boolean alive = true;
        Decision decision = Decision.UNDECIDED;

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

        boolean mayReceive() {
            return undecided();
        }

        void receive(Decision of) {
            decision = of;
        }

        boolean mayAbort() {
            return undecided() && voted && !yes;
        }

        boolean mayVote() {
            return alive && !voted;
        }

        @Handler(when = "mayVote")
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
        }

        @Handler(when = "mayReceive")
        void on(Decided m) {
            receive(m.decision());
        }

        @Internal(when = "alive")
        void die() {
            alive = false;
            if (!voted) {
                send(coordinator, new ParticipantDied(self()));
            }
        }
    }

    /**
     * A participant of a reliable broadcast. It aborts if the coordinator died and none who is alive can receive a decision. What may be
     * received again is consumed by handlers that say how many messages they take: those for one, two and three are enough for three
     * participants.
     */
    static final class ReliableParticipant extends Participant {
        private final List<ActorName> others;
        private final Set<ActorName> told = new HashSet<>();
        private Decision received = Decision.UNDECIDED;

        ReliableParticipant(ActorName coordinator, boolean yes, List<ActorName> others) {
            super(coordinator, yes);
            this.others = others;
        }

        @Override
        boolean mayReceive() {
            return alive() && received == Decision.UNDECIDED;
        }

        @Override
        void receive(Decision of) {
            received = of;
        }

        boolean mayForward() {
            return alive() && received != Decision.UNDECIDED && told.size() < others.size();
        }

        @Internal(when = "mayForward")
        void forward() {
            ActorName other = oneBut(told, others);
            told.add(other);
            send(other, new Decided(received));
        }

        boolean mayDecide() {
            return alive() && received != Decision.UNDECIDED && told.size() == others.size() && decision != received;
        }

        @Internal(when = "mayDecide")
        void decide() {
            decision = received;
        }

        /** Whether the coordinator is among the dead, and all whom the dead told are, too. */
        boolean noneReceives(List<Died> dead) {
            List<ActorName> who = dead.stream().map(Died::who).toList();
            return undecided() && who.contains(coordinator) && dead.stream().allMatch(m -> who.containsAll(m.told()));
        }

        boolean noneReceives(Died one) {
            return noneReceives(List.of(one));
        }

        @Handler(when = "noneReceives")
        void on(Died one) {
            decision = Decision.ABORT;
        }

        @Handler(quorum = "2", when = "noneReceives")
        void onTwo(List<Died> dead) {
            decision = Decision.ABORT;
        }

        @Handler(quorum = "3", when = "noneReceives")
        void onThree(List<Died> dead) {
            decision = Decision.ABORT;
        }

        @Override
        @Internal(when = "alive")
        void die() {
            super.die();
            send(others, new Died(self(), Set.copyOf(told)));
        }
    }

    @Parameter("how many participants")
    int n = 3;

    @Parameter("who votes yes: 1 for the first, 2 for the second, 4 for the third, or a sum of these")
    int votes = 7;

    @Parameter("whether the broadcast is reliable")
    boolean reliable = false;

    @Override
    protected void setUp() {
        network().duplicating();
        List<ActorName> all = names("participant", n);
        ActorName coordinator = create("coordinator", new Coordinator(all, reliable));
        create("participant", n, i -> {
            boolean yes = (votes >> i & 1) == 1;
            return reliable ? new ReliableParticipant(coordinator, yes, without(all, i)) : new Participant(coordinator, yes);
        });
    }

    private static List<ActorName> without(List<ActorName> all, int i) {
        List<ActorName> rest = new ArrayList<>(all);
        rest.remove(i);
        return rest;
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
