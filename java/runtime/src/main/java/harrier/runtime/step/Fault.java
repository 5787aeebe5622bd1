package harrier.runtime.step;

import java.util.List;

/**
 * A kind of fault that the scenario allows.
 *
 * @param scope whom it befalls: of messages the receivers, of a split one side, of forging the adversaries
 * @param budget how often it may happen in a run, or {@link harrier.host.Declaration#UNBOUNDED}
 * @param label what people call it
 * @param forged the messages that adversaries may send; null for all that the check finds, and for other faults
 */
public record Fault(EventKind kind, Scope scope, int budget, String label, List<Envelope> forged) {
    /** A fault that is not an adversary's. */
    public Fault(EventKind kind, Scope scope, int budget, String label) {
        this(kind, scope, budget, label, null);
    }
}
