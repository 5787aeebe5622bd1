package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Raw;
import harrier.runtime.origin.Origin;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.PriorityBlockingQueue;

/**
 * The places inside of a priority queue. Which element is where depends on the queue's history, and the element polled
 * next depends on it only where elements are equal to their comparator. So if all are different, a queue is its
 * sorted elements; if not, it is its places. An element that comes later and is equal to one that is there may find
 * other places than it would have: as with the order of hash collections, the second order shows programs that mind.
 *
 * @param queue the queue
 * @param elements the offset of its array
 * @param size the offset of its count of elements
 */
record Heap(Collection<?> queue, long elements, long size) {
    private static final long QUEUE = Raw.UNSAFE.objectFieldOffset(PriorityQueue.class, "queue");
    private static final long SIZE = Raw.UNSAFE.objectFieldOffset(PriorityQueue.class, "size");
    private static final long BLOCKING_QUEUE = Raw.UNSAFE.objectFieldOffset(PriorityBlockingQueue.class, "queue");
    private static final long BLOCKING_SIZE = Raw.UNSAFE.objectFieldOffset(PriorityBlockingQueue.class, "size");

    static Heap of(Collection<?> queue) {
        return queue instanceof PriorityQueue ? new Heap(queue, QUEUE, SIZE)
            : new Heap(queue, BLOCKING_QUEUE, BLOCKING_SIZE);
    }

    /** The elements, sorted if there is but one order in which they can be polled, else place by place. */
    List<Object> inOrder() {
        Object[] places = places();
        Object[] sorted = sorted(places);
        return Arrays.asList(sorted != null ? sorted : places);
    }

    /** Gives every element its place. */
    void set(Object[] places) {
        // A queue reads its first place even if it is empty.
        Raw.UNSAFE.putReference(queue, elements, Arrays.copyOf(places, places.length + 1, Object[].class));
        Raw.UNSAFE.putInt(queue, size, places.length);
    }

    /** Arranges the elements in another way, if they are polled in the same order all the same. */
    void disturb() {
        Object[] sorted = sorted(places());
        if (sorted == null) {
            return;
        }
        Object[] places = sorted.clone();
        for (int i = 1; i + 1 < places.length; i += 2) { // siblings may change places, each with its subtree
            places[i] = sorted[i + 1];
            places[i + 1] = sorted[i];
        }
        if (isHeap(places, comparator())) {
            set(places);
        }
    }

    private Object[] places() {
        return Arrays.copyOf((Object[]) Raw.UNSAFE.getReference(queue, elements), Raw.UNSAFE.getInt(queue, size));
    }

    /** The elements in the order in which they are polled; null if there are several, or none. */
    private Object[] sorted(Object[] places) {
        try {
            Comparator<Object> comparator = comparator();
            if (!isHeap(places, comparator)) {
                return null; // an element's priority was changed while it was in the queue
            }
            Object[] sorted = places.clone();
            Arrays.sort(sorted, comparator);
            for (int i = 1; i < sorted.length; i++) {
                if (comparator.compare(sorted[i - 1], sorted[i]) >= 0 && !isSameValue(sorted[i - 1], sorted[i])) {
                    return null;
                }
            }
            return sorted;
        } catch (RuntimeException | StackOverflowError e) {
            return null; // a comparator that does not compare
        }
    }

    /** Reports whether two elements are indistinguishable. */
    private static boolean isSameValue(Object a, Object b) {
        boolean value = a instanceof String || a instanceof Number && Origin.isJdks(a.getClass()) || a instanceof Enum;
        return value && a.equals(b);
    }

    private static boolean isHeap(Object[] places, Comparator<Object> comparator) {
        for (int i = 1; i < places.length; i++) {
            if (comparator.compare(places[i - 1 >> 1], places[i]) > 0) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Comparator<Object> comparator() {
        Comparator<?> own = queue instanceof PriorityQueue<?> q ? q.comparator()
            : ((PriorityBlockingQueue<?>) queue).comparator();
        return own != null ? (Comparator<Object>) own : (Comparator) Comparator.naturalOrder();
    }
}
