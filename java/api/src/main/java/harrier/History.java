package harrier;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The operations that actors have begun and ended so far, with their order in real time: which of them
 * was over before which other one began. Nothing else of the order of steps shows, such as which of two
 * concurrent operations began first.
 *
 * <p>So runs that give the same operations the same order have equal histories. To that end the moments
 * of the operations are not kept as they are given: the clock starts at 0 and advances only where an
 * operation is invoked after another one returned.
 *
 * @param operations in the order of {@code invokedAt}, those of the same moment by the actor's name
 * @see <a href="{@docRoot}/guide.html#linearizable-operations">Guide: linearizable operations</a>
 */
public record History(List<Operation> operations) {
    private static final Comparator<Operation> ORDER = Comparator.comparingInt(Operation::invokedAt)
        .thenComparing(o -> o.actor().toString());

    /**
     * A history of these operations, in any order and by any clock, with at most one operation of an actor at
     * a time, but for those that were abandoned. Operations that return in the moment in which others are invoked
     * are concurrent with them.
     */
    public History {
        operations = List.copyOf(byOwnClock(operations).stream().sorted(ORDER).toList());
    }

    /** The operations that have returned. */
    public List<Operation> completed() {
        return operations.stream().filter(Operation::isComplete).toList();
    }

    /** The operations that have not returned, those included that never will. */
    public List<Operation> pending() {
        return operations.stream().filter(o -> !o.isComplete()).toList();
    }

    /** Whether {@code a} returned before {@code b} was invoked, both operations of this history. */
    public boolean precedes(Operation a, Operation b) {
        return a.isComplete() && a.returnedAt() < b.invokedAt();
    }

    /** Whether neither of two operations of this history precedes the other. */
    public boolean concurrent(Operation a, Operation b) {
        return !precedes(a, b) && !precedes(b, a);
    }

    /** The same operations with the moments that this class promises. */
    private static List<Operation> byOwnClock(List<Operation> operations) {
        NavigableMap<Integer, Integer> clock = new TreeMap<>(); // from the moments in which something is invoked
        for (int moment : new TreeSet<>(operations.stream().map(Operation::invokedAt).toList())) {
            if (clock.isEmpty()) {
                clock.put(moment, 0);
                continue;
            }
            int last = clock.lastKey();
            boolean advances = operations.stream().anyMatch(o -> o.returnedAt() >= last && o.returnedAt() < moment);
            clock.put(moment, clock.get(last) + (advances ? 1 : 0));
        }
        return operations.stream().map(o -> new Operation(o.actor(), o.invocation(), o.result(),
            clock.get(o.invokedAt()),
            o.isComplete() ? clock.floorEntry(o.returnedAt()).getValue() : o.returnedAt())).toList();
    }
}
