package harrier.runtime.step;

import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Scope;
import harrier.runtime.failure.Failure;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * One way a local step goes. With a failure, the other parts are empty, but for the local state if that is what must not be.
 *
 * @param handler the label of the handler that ran
 * @param choices what choose answered, in order
 * @param local the new local state, encoded
 * @param sends the messages sent, in order
 * @param creates the actors created, in order
 * @param records the operations begun and ended, in order; empty if no history is kept
 * @param failure how the handler failed, or null
 * @param fired the timer that fired, encoded; empty for other events
 * @param renewed the pending timers and tasks that were set anew, sorted
 * @param acts whether the actor may do something by itself now
 * @param stopped whether the actor does not exist any more
 * @param due whether this has to happen before time goes on
 * @param point where the actor crashed within the handler; null for other events
 * @param thread what people call the thread of the actor that did it; empty for that of its handlers
 */
public record Outcome(String handler, List<Integer> choices, byte[] local, List<Envelope> sends,
        List<ActorState> creates, List<OperationRecord> records, Failure failure, byte[] fired,
        List<PendingEvent> renewed, boolean acts, boolean stopped, boolean due, CrashPoint point, String thread) {
    static final byte[] NOTHING = {};

    /** One of an event that is no crash within a handler. */
    Outcome(String handler, List<Integer> choices, byte[] local, List<Envelope> sends, List<ActorState> creates,
            List<OperationRecord> records, byte[] fired, List<PendingEvent> renewed, boolean acts, boolean stopped) {
        this(handler, choices, local, sends, creates, records, null, fired, renewed, acts, stopped, false, null, "");
    }

    /** Orders that few programs need; making them takes longer than some steps. */
    private static final class Orders {
        private static final Comparator<Envelope> CHANNELS = Comparator.comparing(Envelope::receiver)
            .thenComparing(Envelope::sender);
        private static final Comparator<Envelope> ENVELOPES = CHANNELS.thenComparing(Envelope::payload, Arrays::compare);
        private static final Comparator<OperationRecord> RECORDS = Comparator.comparing(OperationRecord::actor)
            .thenComparing(OperationRecord::kind).thenComparing(OperationRecord::payload, Arrays::compare);
    }

    /** The same, as a failure. */
    Outcome failing(Failure by) {
        return new Outcome(handler, choices, local, List.of(), List.of(), List.of(), by, fired, List.of(),
            false, false, due, point, thread);
    }

    /** The same, done by a thread of the actor. */
    Outcome by(String newThread) {
        return newThread.isEmpty() ? this
            : new Outcome(handler, choices, local, sends, creates, records, failure, fired, renewed, acts, stopped, due, point, newThread);
    }

    /** The same, of what has to happen before time goes on. */
    Outcome asDue() {
        return new Outcome(handler, choices, local, sends, creates, records, failure, fired, renewed, acts, stopped, true, point, thread);
    }

    static Outcome failed(String handler, List<Integer> choices, Failure failure) {
        return new Outcome(handler, choices, NOTHING, List.of(), List.of(), List.of(), failure, NOTHING, List.of(),
            false, false, false, null, "");
    }

    /**
     * Reports whether two executions gave the same, by content.
     *
     * @param fifo the receivers for whom the order of sends matters
     */
    public boolean sameAs(Outcome other, Scope fifo) {
        if (due != other.due) {
            return false;
        }
        if (failure != null) {
            return failure.sameAs(other.failure) && choices.equals(other.choices);
        }
        return other.failure == null && choices.equals(other.choices) && Arrays.equals(local, other.local)
            && sameSends(other, fifo) && sameCreates(other) && sameRecords(other) && renewed.equals(other.renewed)
            && stopped == other.stopped;
    }

    /** The order of sends shows where channels have an order only. */
    private boolean sameSends(Outcome other, Scope fifo) {
        return sends.equals(other.sends) || Arrays.equals(sorted(sends, fifo), sorted(other.sends, fifo), Orders.ENVELOPES);
    }

    private static Envelope[] sorted(List<Envelope> envelopes, Scope fifo) {
        Envelope[] all = envelopes.toArray(Envelope[]::new);
        Arrays.sort(all, Orders.CHANNELS.thenComparing((a, b) -> fifo.has(a.receiver()) ? 0 : Arrays.compare(a.payload(), b.payload())));
        return all;
    }

    /** Their order is the history's, so it shows. */
    private boolean sameRecords(Outcome other) {
        return records.isEmpty() && other.records.isEmpty() || Arrays.equals(records.toArray(OperationRecord[]::new),
            other.records.toArray(OperationRecord[]::new), Orders.RECORDS);
    }

    private boolean sameCreates(Outcome other) {
        if (creates.size() != other.creates.size()) {
            return false;
        }
        for (int i = 0; i < creates.size(); i++) {
            if (!Arrays.equals(creates.get(i).local(), other.creates.get(i).local())) {
                return false;
            }
        }
        return true;
    }
}
