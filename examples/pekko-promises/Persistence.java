package promises;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.persistence.typed.DeleteEventsCompleted;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.SnapshotCompleted;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.RetentionCriteria;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import org.apache.pekko.persistence.typed.javadsl.SnapshotCountRetentionCriteria;
import org.apache.pekko.persistence.typed.state.javadsl.DurableStateBehavior;

/** What actors store, and what they have of it when they start again. */
final class Persistence {
    private static final RetentionCriteria NONE = RetentionCriteria.disabled();
    private static final SnapshotCountRetentionCriteria EVERY_2 = RetentionCriteria.snapshotEvery(2, 1);

    static final List<Promise> PROMISES = List.of(
        Promise.of("effects come when the event is stored, and commands one at a time", w -> once(w, "1", "2"), "recovered: 1 12"),
        Promise.of("several events are stored as one", w -> once(w, "two", "3"), "recovered: ab ab3"),
        Promise.of("no event, and effects all the same", w -> once(w, "none", "1"), "recovered: none 1"),
        Promise.of("who handles no command changes nothing", w -> once(w, "unhandled", "1"), "recovered: 1"),
        Promise.of("a reply is an effect", w -> once(w, "reply"), "recovered: reply!"),
        Promise.of("stashed commands come after unstash, before others", w -> once(w, "s1", "s2", "unstash", "3"),
            "recovered: U Us1 Us1s2 Us1s23"),
        Promise.of("who starts again has its events", w -> again(w, NONE, "1", "2", "stop"),
            "recovered: 1 12 PostStop | recovered:12 12again PostStop"),
        Promise.of("thenStop comes when the event is stored, and drops what waits", w -> again(w, NONE, "last", "2"),
            "recovered: last PostStop | recovered:last lastagain PostStop"),
        Promise.of("snapshots are taken, and recovered from", w -> again(w, EVERY_2, "1", "2", "3", "stop"),
            "recovered: 1 Snapshot2 12 123 PostStop | recovered:123 Snapshot4 123again PostStop"),
        Promise.of("a snapshot replaces the events before it", w -> again(w, EVERY_2.withDeleteEventsOnSnapshot(), "1", "2", "3", "4"),
            "recovered: 1 Snapshot2 12 123 Snapshot4 1234 Deleted2"),
        Promise.of("who fails in a command handler has stored nothing of it", w -> again(w, NONE, "1", "fail"),
            "recovered: 1 PostStop | recovered:1 1again PostStop"),
        Promise.of("an event that its handler refuses is not stored", w -> again(w, NONE, "1", "bad"),
            "recovered: 1 PostStop | recovered:1 1again PostStop"),
        Promise.of("who restarts recovers", w -> Behaviors.setup(c -> {
            tellAll(c.spawn(Behaviors.supervise(log(w, NONE)).onFailure(SupervisorStrategy.restart()), "child"), "1", "fail", "2");
            return Behaviors.empty();
        }), "recovered: 1 PreRestart recovered:1 12", "recovered: 1 PreRestart recovered:1"), // what waited for an event is dropped
        Promise.of("who is stopped by its parent may have stored its event without an effect", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = watched(c, w, NONE);
            child.tell("1");
            c.stop(child);
            return startingAgain(w, NONE);
        }), "PostStop | recovered: again PostStop", "recovered: PostStop | recovered: again PostStop",
            "recovered: PostStop | recovered:1 1again PostStop", "recovered: 1 PostStop | recovered:1 1again PostStop",
            "recovered: again PostStop"), // the library's, if it is stopped while it loads a snapshot: harrier recovers in one step
        Promise.of("a durable state is what was stored last", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(Behaviors.<String>setup(d -> new Value(w)), "child");
            c.watch(child);
            tellAll(child, "1", "2", "stop");
            return Behaviors.receive(String.class).onSignal(Terminated.class, t -> {
                tellAll(c.spawn(Behaviors.<String>setup(d -> new Value(w)), "child"), "3");
                return Behaviors.same();
            }).build();
        }), "recovered: 1 12 | recovered:12 123"));

    private Persistence() {}

    private static Behavior<String> log(ActorRef<String> witness, RetentionCriteria retention) {
        return Behaviors.setup(c -> new Log(witness, retention));
    }

    /** An actor with events, which gets commands. */
    private static Behavior<String> once(ActorRef<String> witness, String... commands) {
        return Behaviors.setup(c -> {
            tellAll(c.spawn(log(witness, NONE), "child"), commands);
            return Behaviors.empty();
        });
    }

    /** The same, and when it has stopped, another one with the same id. */
    private static Behavior<String> again(ActorRef<String> witness, RetentionCriteria retention, String... commands) {
        return Behaviors.setup(c -> {
            tellAll(watched(c, witness, retention), commands);
            return startingAgain(witness, retention);
        });
    }

    private static ActorRef<String> watched(ActorContext<String> context, ActorRef<String> witness, RetentionCriteria retention) {
        ActorRef<String> child = context.spawn(log(witness, retention), "child");
        context.watch(child);
        return child;
    }

    private static Behavior<String> startingAgain(ActorRef<String> witness, RetentionCriteria retention) {
        return Behaviors.setup(c -> Behaviors.receive(String.class).onSignal(Terminated.class, t -> {
            tellAll(c.spawn(log(witness, retention), "child"), "again", "stop");
            return Behaviors.same();
        }).build());
    }

    private static void tellAll(ActorRef<String> actor, String... commands) {
        List.of(commands).forEach(actor::tell);
    }

    /** Its state is the texts of its events. */
    private static final class Log extends EventSourcedBehavior<String, String, String> {
        private final ActorRef<String> witness;
        private final RetentionCriteria retention;

        Log(ActorRef<String> witness, RetentionCriteria retention) {
            super(PersistenceId.ofUniqueId(witness.path().name()));
            this.witness = witness;
            this.retention = retention;
        }

        @Override
        public String emptyState() {
            return "";
        }

        @Override
        public RetentionCriteria retentionCriteria() {
            return retention;
        }

        @Override
        public CommandHandler<String, String, String> commandHandler() {
            return (state, command) -> switch (command) {
                case "none" -> Effect().none().thenRun(s -> witness.tell("none"));
                case "unhandled" -> Effect().unhandled();
                case "reply" -> Effect().none().thenReply(witness, s -> "reply!");
                case "two" -> Effect().persist(List.of("a", "b")).thenRun(witness::tell);
                case "unstash" -> Effect().persist("U").thenRun(witness::tell).thenUnstashAll();
                case "last" -> Effect().persist("last").thenRun(witness::tell).thenStop();
                case "stop" -> Effect().stop();
                case "fail" -> throw new IllegalStateException("failed");
                default -> command.startsWith("s") && !state.startsWith("U") ? Effect().stash() : Effect().persist(command).thenRun(witness::tell);
            };
        }

        @Override
        public EventHandler<String, String> eventHandler() {
            return (state, event) -> {
                if (event.equals("bad")) {
                    throw new IllegalStateException("bad");
                }
                return state + event;
            };
        }

        @Override
        public SignalHandler<String> signalHandler() {
            return newSignalHandlerBuilder().onSignal(RecoveryCompleted.instance(), s -> witness.tell("recovered:" + s))
                .onSignal(SnapshotCompleted.class, (s, c) -> witness.tell("Snapshot" + c.getSnapshotMetadata().sequenceNr()))
                .onSignal(DeleteEventsCompleted.class, (s, d) -> witness.tell("Deleted" + d.getToSequenceNr()))
                .onSignal(PreRestart.instance(), s -> witness.tell("PreRestart"))
                .onSignal(PostStop.instance(), s -> witness.tell("PostStop")).build();
        }
    }

    /** Its state is the text of all commands. */
    private static final class Value extends DurableStateBehavior<String, String> {
        private final ActorRef<String> witness;

        Value(ActorRef<String> witness) {
            super(PersistenceId.ofUniqueId(witness.path().name()));
            this.witness = witness;
        }

        @Override
        public String emptyState() {
            return "";
        }

        @Override
        public org.apache.pekko.persistence.typed.state.javadsl.CommandHandler<String, String> commandHandler() {
            return (state, command) -> switch (command) {
                case "stop" -> Effect().stop();
                default -> Effect().persist(state + command).thenRun(witness::tell);
            };
        }

        @Override
        public org.apache.pekko.persistence.typed.state.javadsl.SignalHandler<String> signalHandler() {
            return org.apache.pekko.persistence.typed.state.javadsl.SignalHandlerBuilder.<String>builder()
                .onSignal(org.apache.pekko.persistence.typed.state.RecoveryCompleted.instance(), s -> witness.tell("recovered:" + s)).build();
        }
    }
}
