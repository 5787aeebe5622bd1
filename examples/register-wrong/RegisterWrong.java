package registerwrong;

import harrier.History;
import harrier.Invariant;
import harrier.Operation;
import java.util.stream.Stream;
import register.Read;
import register.Register;
import register.Write;

/**
 * The regular register, held to more than regularity: a read that ends after a write that is concurrent with
 * it must return the value of that write. But the read may have its majority from base objects that the
 * write had not reached when they answered.
 *
 * <p>Expected: violated (a read that ends after a concurrent write returns what that wrote).
 */
public final class RegisterWrong extends Register {
    @Override
    protected void specify() {
        // the invariant does
    }

    /**
     * A history does not tell which of two concurrent operations ended first. But a read is given up before
     * anything else ends, so a write that is complete where a read is had ended before the read did.
     */
    @Invariant("a read that ends after a concurrent write returns what that wrote")
    boolean returnsConcurrentWrites() {
        History history = history();
        return history.completed().stream().filter(RegisterWrong::isRead).allMatch(r -> returnsWritten(history, r));
    }

    private static boolean returnsWritten(History history, Operation read) {
        return writesIn(history).filter(w -> w.isComplete() && history.concurrent(w, read))
            .reduce((earlier, later) -> later).map(w -> read.result().equals(((Write) w.invocation()).value())).orElse(true);
    }

    /** The writes, in their order: there is one writer. */
    private static Stream<Operation> writesIn(History history) {
        return history.operations().stream().filter(o -> o.invocation() instanceof Write);
    }

    private static boolean isRead(Operation operation) {
        return operation.invocation() instanceof Read;
    }

    /**
     * A read that has returned was judged when it did. A write is needed until a later one is complete, and all
     * pending reads began after that.
     */
    @Override
    protected boolean keeps(Operation operation, History history) {
        return !isRead(operation) && history.completed().stream().noneMatch(later -> !isRead(later)
            && history.precedes(operation, later)
            && history.pending().stream().allMatch(o -> !isRead(o) || history.precedes(later, o)));
    }
}
