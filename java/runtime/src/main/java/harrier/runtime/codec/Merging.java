package harrier.runtime.codec;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Makes one object of equal values, those that static fields lead to among them, where something is executed again. States and
 * messages do not say which equal values are one object. In the first execution each that is decoded is an object of its own, so
 * that what compares them by {@code ==} does something else here.
 */
public final class Merging {
    private static final ThreadLocal<Merging> HERE = new ThreadLocal<>();

    private final Map<Key, Object> met = new HashMap<>();

    private Merging() {}

    /** What {@code run} gives if the values that it decodes are merged. */
    public static <T> T during(Supplier<T> run) {
        Merging before = HERE.get();
        HERE.set(new Merging());
        try {
            return run.get();
        } finally {
            HERE.set(before);
        }
    }

    /** What merges the values that this thread decodes; null if nothing does. */
    static Merging here() {
        return HERE.get();
    }

    /** Whether a tag is that of a value of which there may be several objects. */
    static boolean has(int tag) {
        return switch (tag) {
            case Tag.SHORT, Tag.INT, Tag.LONG, Tag.CHAR, Tag.FLOAT, Tag.DOUBLE, Tag.OPTIONAL, Tag.RECORD, Tag.IMMUTABLE_LIST,
                Tag.IMMUTABLE_SET, Tag.IMMUTABLE_MAP, Tag.NULLABLE_LIST -> true;
            default -> false;
        };
    }

    /**
     * The object for a value with some bytes: a constant, or the first one that was decoded.
     *
     * @param constants of the program
     * @param own of the value's class
     */
    Object merge(Map<Key, Object> constants, Map<Key, Object> own, Key bytes, Object value) {
        Object ofProgram = constants.get(bytes);
        Object constant = ofProgram == null && !own.isEmpty() ? own.get(bytes) : ofProgram;
        Object first = constant != null ? constant : met.putIfAbsent(bytes, value);
        return first == null ? value : first;
    }

    /** A value's bytes. */
    record Key(byte[] bytes) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }
}
