package registerwrong;

import harrier.History;
import harrier.Invariant;
import harrier.Operation;
import register.Register;

/**
 * The regular register, held to more than regularity: a read that ends after a write that is concurrent with
 * it must return the value of that write. But the read may have its majority from base objects that the
 * write had not reached when they answered.
 *
 * <p>Expected: violated (a read that ends after a concurrent write returns what that wrote).
 */
public final class RegisterWrong extends Register {
    /**
     * A history does not tell which of two concurrent operations ended first. But a read is given up before
     * anything else ends, so a write that is complete where a read is had ended before the read did.
     */
    @Override
    @Invariant("a read that ends after a concurrent write returns what that wrote")
    protected boolean regularity() {
        History history = history();
        return history.completed().stream().filter(Register::isRead).allMatch(r -> returnsWritten(history, r));
    }

    private static boolean returnsWritten(History history, Operation read) {
        return writesIn(history).filter(w -> w.isComplete() && history.concurrent(w, read))
            .reduce((earlier, later) -> later).map(w -> read.result().equals(value(w))).orElse(true);
    }
}
