package jdk.internal.util;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/**
 * The sequence in which objects got their identity hash codes. It is the same whenever a step is executed, other than the
 * codes, by which hash collections iterate.
 *
 * <p>Each thread of HotSpot draws its codes by Marsaglia's xorshift (Xorshift RNGs, 2003), with the top bit left out, so the
 * codes that it drew follow from those that it draws now. A virtual machine that draws otherwise is noticed, and its objects
 * keep the order in which their collection iterates.
 */
final class IdentitySequence {
    /** How many codes back objects are looked for. */
    private static final int LIMIT = 1 << 12;
    private static final int SEEN = 0x7fff_ffff;

    private static final ClassValue<Boolean> BY_IDENTITY = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type != Class.class && type.getMethod("hashCode").getDeclaringClass() == Object.class;
            } catch (NoSuchMethodException e) {
                return false;
            }
        }
    };

    private IdentitySequence() {}

    /**
     * The places of the elements of a view: first, as the collection iterates, those without a known place in the sequence,
     * then the others in the sequence. Null if that is the order of the view.
     */
    static int[] of(Collection<?> view, Object[] elements, int[] here) {
        if (elements.length < 2) {
            return null;
        }
        int order = here[0];
        here[0] = 0;
        try {
            int[] codes = codes(view.getClass().getName().startsWith("java.util.IdentityHashMap$"), keys(view, elements));
            int byIdentity = 0;
            for (int code : codes) {
                byIdentity += code == 0 ? 0 : 1;
            }
            here[3] = Math.max(here[3], byIdentity); // wherever and whenever their codes were drawn, which is no part of a step
            if (byIdentity < 2) {
                return null;
            }
            int[] sorted = codes.clone();
            Arrays.sort(sorted);
            return places(codes, sorted, ages(sorted));
        } finally {
            here[0] = order;
        }
    }

    /** What decides where the elements are: of the values of a map its keys, of entries theirs. */
    private static Object[] keys(Collection<?> view, Object[] elements) {
        String type = view.getClass().getName();
        if (type.equals("java.util.HashMap$Values") || type.equals("java.util.Hashtable$ValueCollection")) {
            try {
                Field map = view.getClass().getDeclaredField("this$0");
                map.setAccessible(true);
                return ((Map<?, ?>) map.get(view)).keySet().toArray();
            } catch (ReflectiveOperationException e) {
                return elements;
            }
        }
        if (!type.endsWith("$EntrySet") && !type.endsWith("$MapN$1")) {
            return elements;
        }
        Object[] keys = new Object[elements.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = ((Map.Entry<?, ?>) elements[i]).getKey();
        }
        return keys;
    }

    /** The identity hash codes of keys that go by them, and 0 for others. */
    private static int[] codes(boolean all, Object[] keys) {
        int[] codes = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != null && (all || BY_IDENTITY.get(keys[i].getClass()))) {
                codes[i] = System.identityHashCode(keys[i]);
            }
        }
        return codes;
    }

    private static int[] places(int[] codes, int[] sorted, int[] ages) {
        long[] order = new long[codes.length];
        for (int i = 0; i < codes.length; i++) {
            int age = codes[i] == 0 ? 0 : ages[Arrays.binarySearch(sorted, codes[i])];
            order[i] = (age == 0 ? 0L : LIMIT + 1 - age) << 32 | i;
        }
        Arrays.sort(order);
        int[] places = new int[codes.length];
        for (int i = 0; i < places.length; i++) {
            places[i] = (int) order[i];
        }
        return places;
    }

    /** How many codes ago each of these was drawn; 0 where that is not known. */
    private static int[] ages(int[] codes) {
        int[] drawn = new int[8];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = System.identityHashCode(new Object());
        }
        int[] words = drawn.clone(); // with the top bits of those from 3 to 6
        for (int n = 4; n < drawn.length; n++) {
            int t = words[n - 4] ^ words[n - 4] << 11;
            int top = (drawn[n] ^ drawn[n - 1] ^ t ^ t >>> 8) >>> 12 & 1;
            words[n - 1] |= top << 31;
        }
        int[] ages = new int[codes.length];
        int[] last = {words[3], words[4], words[5], words[6]};
        for (int age = 1; age <= LIMIT; age++) {
            int u = last[3] ^ last[2] ^ last[2] >>> 19;
            int t = u ^ u >>> 8 ^ u >>> 16 ^ u >>> 24;
            int word = t ^ t << 11 ^ t << 22;
            if (age <= 3 && (word & SEEN) != drawn[3 - age]) {
                return new int[codes.length]; // drawn in another way
            }
            int found = Arrays.binarySearch(codes, word & SEEN);
            if (found >= 0) {
                ages[found] = age;
            }
            last = new int[] {word, last[0], last[1], last[2]};
        }
        return ages;
    }
}
