package jdk.internal.util;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The identity hash codes that a program gets while an order is on, other than for a lookup in a hash collection of the
 * JDK's: they follow from how many objects were asked before in this execution. In a second execution all
 * 31 bits of each code are inverted, so that comparisons turn around, too; in further ones codes have nothing to do with these.
 */
public final class IdentityCodes {
    /** Stands in for {@link System#identityHashCode}. */
    public static final ToIntFunction<Object> IDENTITY = new ToIntFunction<>() {
        @Override
        public int applyAsInt(Object o) {
            return identityHashCode(o);
        }
    };

    private static final int ALL = 0x7fff_ffff;

    /** The numbers of the objects whose codes were asked for in this execution. */
    private static final ThreadLocal<Map<Object, Integer>> NUMBERS = new ThreadLocal<>() {
        @Override
        protected Map<Object, Integer> initialValue() {
            return new IdentityHashMap<>();
        }
    };

    /** The objects whose codes outlive an execution: they were asked for by a set-up or a class initializer. */
    private static final Map<Object, Boolean> LASTING = new IdentityHashMap<>();

    private IdentityCodes() {}

    /** What {@code o.hashCode()} gives where that is no lookup. */
    public static int hashCode(Object o) {
        int code = o.hashCode();
        return o instanceof String || !HashOrder.isOn() || code != System.identityHashCode(o) ? code : identityHashCode(o);
    }

    /** What {@code key.hashCode()} gives a hash collection to find its place: it must be the same whenever it is asked. */
    public static int lookup(Object key) {
        if (key instanceof String) {
            return key.hashCode();
        }
        int[] here = HashOrder.HERE.get();
        if (here[0] == 0) {
            return key.hashCode();
        }
        int unseen = here[HashOrder.UNSEEN];
        here[HashOrder.LOOKUPS]++;
        here[HashOrder.UNSEEN] = 1;
        try {
            return key.hashCode();
        } finally {
            here[HashOrder.LOOKUPS]--;
            here[HashOrder.UNSEEN] = unseen;
        }
    }

    public static int identityHashCode(Object o) {
        int code = System.identityHashCode(o);
        int[] here = HashOrder.HERE.get();
        if (o == null || here[0] == 0 || here[HashOrder.LOOKUPS] > 0) {
            return code;
        }
        here[HashOrder.IDENTITY] = 1;
        int codes = here[HashOrder.CODES];
        synchronized (LASTING) {
            if (codes == 0) {
                LASTING.put(o, true);
            }
            if (codes == 0 || LASTING.containsKey(o)) {
                return code ^ ALL; // an object that all copies of a program share has the same one in the first copy
            }
        }
        int mixed = number(o, here) * 0x9E37_79B9 + Math.max(codes, 2) * 0x85EB_CA6B;
        mixed = (mixed ^ mixed >>> 15) * 0x2C1B_3C6D;
        mixed = (mixed ^ mixed >>> 12) & ALL;
        return codes == 1 ? mixed ^ ALL : mixed;
    }

    private static int number(Object o, int[] here) {
        Map<Object, Integer> numbers = NUMBERS.get();
        if (here[HashOrder.ASKED] == 0) {
            numbers.clear();
        }
        Integer number = numbers.get(o);
        if (number == null) {
            number = here[HashOrder.ASKED]++;
            numbers.put(o, number);
        }
        return number;
    }
}
