package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Input;
import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Tag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes one object of equal values, those that static fields lead to and strings of literals among them, where something is executed
 * again. States and messages do not say which equal values are one object. In the first execution each that is decoded is an object
 * of its own, so that what compares them by {@code ==} does something else here.
 */
public final class Merging {
    private static final ThreadLocal<Merging> HERE = new ThreadLocal<>();

    private final Map<Key, Object> met = new HashMap<>();
    /** Which of several equal objects behind static fields is taken. */
    private final int taken;
    /** How many there were at most. */
    private int most = 1;

    private Merging(int taken) {
        this.taken = taken;
    }

    /**
     * What {@code run} gives if the values that it decodes are merged; where static fields lead to several equal ones, with these in turn.
     *
     * @param orders runs it in some orders of hash collections
     */
    public static <T> List<T> during(Supplier<T> run, Function<Supplier<T>, List<T>> orders) {
        List<T> all = new ArrayList<>();
        int[] runs = {1};
        for (int i = 0; i < runs[0]; i++) {
            int taken = i;
            all.addAll(orders.apply(() -> new Merging(taken).run(run, runs)));
        }
        return all;
    }

    private <T> T run(Supplier<T> run, int[] runs) {
        Merging before = HERE.get();
        HERE.set(this);
        try {
            return run.get();
        } finally {
            HERE.set(before);
            runs[0] = Math.max(runs[0], most);
        }
    }

    /** What merges the values that this thread decodes; null if nothing does. */
    public static Merging here() {
        return HERE.get();
    }

    /** Reports whether a tag is that of a value of which there may be several objects. */
    static boolean has(int tag) {
        return switch (tag) {
            case Tag.SHORT, Tag.INT, Tag.LONG, Tag.CHAR, Tag.FLOAT, Tag.DOUBLE, Tag.OPTIONAL, Tag.RECORD, Tag.IMMUTABLE_LIST,
                Tag.IMMUTABLE_SET, Tag.IMMUTABLE_MAP, Tag.NULLABLE_LIST -> true;
            default -> false;
        };
    }

    /**
     * The object for a value: one that a static field leads to, or the first one that was decoded.
     *
     * @param constants equal ones that static fields lead to
     */
    Object merge(List<Object> constants, Key key, Object value) {
        if (!constants.isEmpty()) {
            return choose(constants, value);
        }
        Object first = met.putIfAbsent(key, value);
        return first == null ? value : first;
    }

    /** One of some equal values, in turn; another one if there is none. */
    Object choose(List<Object> equal, Object other) {
        most = Math.max(most, equal.size());
        return equal.isEmpty() ? other : equal.get(Math.min(taken, equal.size() - 1));
    }

    /** An object that was decoded: where its bytes are, and its number. */
    record Numbered(int from, int to, int number) {}

    /**
     * What equal values have in common.
     *
     * @param decoding in which the objects have their numbers; null if there are none
     * @param bytes with references in place of all objects
     */
    record Key(Object decoding, byte[] bytes) {
        Key(byte[] bytes) {
            this(null, bytes);
        }

        /** The key of the value that begins at {@code from}, with the objects in it. */
        static Key of(Object decoding, Input in, int from, List<Numbered> objects) {
            Output bytes = new Output();
            int at = from;
            for (Numbered object : objects) {
                bytes.raw(in.between(at, object.from));
                bytes.u8(Tag.REF);
                bytes.varint(object.number);
                at = object.to;
            }
            bytes.raw(in.between(at, in.at()));
            return new Key(decoding, bytes.toBytes());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && decoding == key.decoding && Arrays.equals(bytes, key.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }
}
