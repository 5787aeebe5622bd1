package harrier.runtime.actor;

import harrier.host.StepStopped;
import harrier.runtime.codec.format.FormatException;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.rules.Guard;
import java.util.function.Supplier;

/** Makes states and messages anew. Filling hash collections runs the program's own code, which may fail. */
public final class Decoding {
    private Decoding() {}

    /** What {@code decoding} gives; what the program's hashCode, equals or compareTo throws is a broken rule. */
    public static <T> T of(String what, Supplier<T> decoding) {
        try {
            return decoding.get();
        } catch (FormatException | RuleException | OutOfMemoryError | StepStopped e) {
            throw e; // a fault of ours, reported already, limits
        } catch (RuntimeException | Error e) {
            Guard.takeRefusal();
            throw new RuleException("making " + what + " anew fails: "
                + (e instanceof NotCapturableException ? e.getMessage() : Failure.describe(e))
                + ": hashCode, equals and compareTo must work on every value that a collection holds");
        }
    }
}
