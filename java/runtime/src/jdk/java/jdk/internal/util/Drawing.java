package jdk.internal.util;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import jdk.internal.misc.Unsafe;

/**
 * In which order each hash collection iterates while an order is on. It is drawn for each collection by itself, so that
 * two collections are in step in none or few of the orders; and a collection that does not change has one order for all
 * iterations of an execution, whichever view of it they are over.
 */
final class Drawing {
    /** In this order collections iterate as they do by themselves, but for {@link IdentitySequence}. */
    private static final int LAST = 6;

    /** All orders of three elements but their own. */
    private static final int[][] OF_THREE = {{1, 2, 0}, {2, 1, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}};

    /** The collections that this execution iterated over, with their numbers. */
    private static final ThreadLocal<Map<Object, Integer>> NUMBERS = new ThreadLocal<>() {
        @Override
        protected Map<Object, Integer> initialValue() {
            return new IdentityHashMap<>();
        }
    };

    private Drawing() {}

    /**
     * The places of the elements of a collection, in the order that is on; null for the order in which they are given.
     *
     * @param collection the collection or a view of it
     */
    static int[] of(Object collection, int n, int[] here) {
        here[2] = Math.max(here[2], n);
        if (n < 2 || here[0] == LAST) {
            return null;
        }
        return places(here[0], seed(here), number(collection, here), n);
    }

    /**
     * The places of {@code n} elements; in order 1 another one comes first. Over the orders from 1 to 3, and their own, two elements
     * take both orders, and the collections 0 and 1, 2 and 3, and so on, take all four pairs of these. Over those from 1 to 5, and
     * their own, three elements take all six orders, and no two of the collections 0 to 3, 4 to 7, and so on, take the same one but
     * their own at once. More elements take orders that are drawn.
     *
     * @param order the number of the order
     * @param number that of the collection
     */
    private static int[] places(int order, int seed, int number, int n) {
        if (n == 2) {
            int turn = order == 1 ? 1 : order + number + mix(seed + number / 2) & 1;
            return turn == 1 ? new int[] {1, 0} : null;
        }
        if (n == 3) {
            return OF_THREE[(order - 1 + Math.floorMod(number + mix(seed + number / 4), 4)) % 5];
        }
        int[] places = new int[n];
        int drawn = mix(seed + mix(number + mix(order)));
        for (int i = 1; i < n; i++) {
            drawn = mix(drawn + i);
            int j = Math.floorMod(drawn, i + 1);
            places[i] = places[j];
            places[j] = i;
        }
        if (places[0] == 0) { // another one comes first
            int other = 1 + Math.floorMod(mix(drawn), n - 1);
            places[0] = places[other];
            places[other] = 0;
        }
        return places;
    }

    private static int mix(int n) {
        int mixed = n * 0x9E37_79B9;
        mixed = (mixed ^ mixed >>> 15) * 0x2C1B_3C6D;
        return mixed ^ mixed >>> 12;
    }

    private static int seed(int[] here) {
        if (here[HashOrder.DRAWN] == 0) {
            here[1] = Arrays.hashCode(HashOrder.DRAWN_FROM.get());
            here[HashOrder.DRAWN] = 1;
        }
        return here[1];
    }

    /** The number of a collection among those that this execution iterated over. */
    private static int number(Object view, int[] here) {
        Map<Object, Integer> numbers = NUMBERS.get();
        if (here[HashOrder.COLLECTIONS] == 0) {
            numbers.clear();
        }
        Object collection = collection(view);
        Integer number = numbers.get(collection);
        if (number == null) {
            number = here[HashOrder.COLLECTIONS]++;
            numbers.put(collection, number);
        }
        return number;
    }

    /** The collection that a view is of: the outermost object that holds the elements for others. */
    private static Object collection(Object view) {
        Object collection = view;
        for (long at = Holder.OFFSETS.get(collection.getClass()); at >= 0; at = Holder.OFFSETS.get(collection.getClass())) {
            collection = Unsafe.getUnsafe().getReference(collection, at);
        }
        return collection;
    }

    /** Where views, and sets that are made of a map, keep the map. */
    private static final class Holder extends ClassValue<Long> {
        static final Holder OFFSETS = new Holder();

        /** The offset of the field; negative if there is none. */
        @Override
        protected Long computeValue(Class<?> type) {
            Class<?> ofTheJdk = type;
            while (ofTheJdk.getClassLoader() != null) {
                ofTheJdk = ofTheJdk.getSuperclass(); // a program may extend it
            }
            for (Class<?> c = ofTheJdk; c != null; c = c.getSuperclass()) {
                for (String name : new String[] {"this$0", "map"}) {
                    try {
                        return Unsafe.getUnsafe().objectFieldOffset(c, name);
                    } catch (InternalError e) {
                        continue; // it has none of this name
                    }
                }
            }
            return -1L;
        }
    }
}
