package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Raw;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * The fields of a class that an encoding leaves out. When the object is made anew they hold null or zero, or what
 * its class needs there instead.
 */
public final class Hidden {
    /** There are none that need any care. */
    static final Hidden NONE = new Hidden(new Slot[0], new Slot[0]);
    private static final String LOCKS = "java.util.concurrent.locks.";

    /** The stack trace of throwables that were decoded. */
    private static final StackTraceElement[] NO_TRACE = {};
    private static final long STACK_TRACE = Raw.UNSAFE.objectFieldOffset(Throwable.class, "stackTrace");

    /** What some of them hold in an object that is made anew. */
    private static final Map<String, Supplier<Object>> INITIAL = Map.of(
        "java.lang.Throwable.stackTrace", () -> NO_TRACE,
        LOCKS + "ReentrantReadWriteLock$Sync.readHolds", Hidden::readHolds);

    /** The fields that hold a thread while a lock is held. */
    private static final List<String> OWNERS = List.of(
        LOCKS + "AbstractOwnableSynchronizer.exclusiveOwnerThread", LOCKS + "ReentrantReadWriteLock$Sync.firstReader");

    private final Slot[] filled;
    private final Slot[] owners;

    private Hidden(Slot[] filled, Slot[] owners) {
        this.filled = filled;
        this.owners = owners;
    }

    static Hidden of(Class<?> type) {
        List<Slot> filled = new ArrayList<>();
        List<Slot> owners = new ArrayList<>();
        for (Slot slot : Slots.all(type)) {
            if (INITIAL.containsKey(name(slot))) {
                filled.add(slot);
            } else if (OWNERS.contains(name(slot))) {
                owners.add(slot);
            }
        }
        return filled.isEmpty() && owners.isEmpty() ? NONE
            : new Hidden(filled.toArray(new Slot[0]), owners.toArray(new Slot[0]));
    }

    /** Reports whether a throwable was decoded, and not filled in since. */
    public static boolean hasNoTrace(Throwable thrown) {
        return Raw.UNSAFE.getReference(thrown, STACK_TRACE) == NO_TRACE;
    }

    private static String name(Slot slot) {
        return slot.field.getDeclaringClass().getName() + "." + slot.field.getName();
    }

    /**
     * Refuses a lock that is held. The JDK makes the text of a NullPointerException when that is first asked for; afterwards there is
     * no stack to make it of.
     */
    void prepare(Encoder e, Object value) {
        if (value instanceof NullPointerException thrown && thrown.getClass() == NullPointerException.class) {
            thrown.getMessage();
        }
        for (Slot owner : owners) {
            if (Raw.UNSAFE.getReference(value, owner.offset) != null) {
                throw e.refuse(value.getClass(), "it is held; unlock it before the handler ends");
            }
        }
    }

    /** Gives a new object what it needs. */
    void fill(Object value) {
        for (Slot slot : filled) {
            Raw.UNSAFE.putReference(value, slot.offset, INITIAL.get(name(slot)).get());
        }
    }

    /** The table of read locks by thread of a lock that nobody holds. */
    private static Object readHolds() {
        Object sync = field(new ReentrantReadWriteLock(), "sync");
        return field(sync, "readHolds");
    }

    private static Object field(Object holder, String name) {
        for (Slot slot : Slots.all(holder.getClass())) {
            if (slot.field.getName().equals(name)) {
                return Raw.UNSAFE.getReference(holder, slot.offset);
            }
        }
        throw new AssertionError(name);
    }
}
