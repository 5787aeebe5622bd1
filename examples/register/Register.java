package register;

import harrier.ActorName;
import harrier.History;
import harrier.Invariant;
import harrier.Operation;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;
import java.util.stream.Stream;

/**
 * A regular register with one writer and several readers on base objects of which a majority answers, in the
 * style of Attiya, Bar-Noy and Dolev: "Sharing Memory Robustly in Message-Passing Systems" (J. ACM, 1995).
 * A regular register's readers need not write back what they read.
 *
 * <p>Expected: verified.
 */
public class Register extends Scenario {
    @Parameter("how many base objects; a majority decides")
    protected int objects = 3;

    @Parameter("how many readers")
    protected int readers = 1;

    @Parameter("how often the writer writes")
    protected int writes = 1;

    @Parameter("how often each reader reads")
    protected int reads = 2;

    @Override
    protected void setUp() {
        List<ActorName> stores = create("object", objects, i -> new BaseObject());
        create("writer", new Writer(stores, writes));
        create("reader", readers, i -> new Reader(stores, reads));
    }

    @Invariant("a read returns the last value written before it, or one written meanwhile")
    protected boolean regularity() {
        History history = history();
        return history.completed().stream().filter(Register::isRead).allMatch(r -> isRegular(history, r));
    }

    private static boolean isRegular(History history, Operation read) {
        Stream<Operation> meanwhile = writesIn(history).filter(w -> history.concurrent(w, read));
        return read.result().equals(valueBefore(history, read))
            || meanwhile.anyMatch(w -> read.result().equals(value(w)));
    }

    /** The value of the last write that precedes a read. */
    private static int valueBefore(History history, Operation read) {
        return writesIn(history).filter(w -> history.precedes(w, read)).reduce((earlier, later) -> later)
            .map(Register::value).orElse(Version.INITIAL.value());
    }

    /** The writes, in their order: there is one writer. */
    protected static Stream<Operation> writesIn(History history) {
        return history.operations().stream().filter(o -> o.invocation() instanceof Write);
    }

    protected static int value(Operation write) {
        return ((Write) write.invocation()).value();
    }

    protected static boolean isRead(Operation operation) {
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
