package harrier.runtime.actor;

import harrier.runtime.wire.EventKind;
import java.util.List;

/**
 * A kind of fault that the scenario allows.
 *
 * @param scope whom it affects: of messages the receivers, of a split one side, of Byzantine sends the adversaries
 * @param senders of the messages that it affects
 * @param self whether it affects what these send to themselves
 * @param within whether crashes happen within handlers, too
 * @param losing whether messages to actors that are down after a crash may be lost
 * @param filling how many other messages have to be in flight to the receiver, of a mailbox that drops messages when it is full; else 0
 * @param budget how often it may happen in a run, or {@link harrier.host.Declaration#UNBOUNDED}
 * @param label what people call it
 * @param domain the messages that adversaries may send; null for all that the check finds, and for other faults
 */
public record Fault(EventKind kind, Scope scope, Scope senders, boolean self, boolean within, boolean losing, int filling, int budget, String label,
        List<Envelope> domain) {
    /** A fault that is not of a mailbox. */
    public Fault(EventKind kind, Scope scope, Scope senders, boolean self, boolean within, boolean losing, int budget, String label,
            List<Envelope> domain) {
        this(kind, scope, senders, self, within, losing, 0, budget, label, domain);
    }

    /** A fault that is not an adversary's, whoever sends messages; but messages of actors to themselves are not lost. */
    public Fault(EventKind kind, Scope scope, int budget, String label) {
        this(kind, scope, Scope.ALL, kind != EventKind.LOSE, false, false, budget, label, null);
    }
}
