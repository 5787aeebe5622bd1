package harrier.runtime.property;

import harrier.runtime.step.OperationRecord;
import java.util.List;

/** What states keep of the operations of actors, as bytes; none before the first operation. Go calls it the history. */
public interface Recording {
    /**
     * The history to keep after a step.
     *
     * @param history the history before it
     * @param records what the step began and ended, in order
     * @throws harrier.runtime.failure.RuleException if an actor begins an operation while it has one, or ends one
     *     while it has none
     */
    byte[] extend(byte[] history, List<OperationRecord> records);
}
