package harrier.runtime.codec.graph;

import java.util.Arrays;
import java.util.List;

/**
 * A collection to be filled once all objects have their fields, because that runs the program's own
 * {@code hashCode}, {@code equals} or {@code compareTo}.
 */
public abstract class Fill {
    /** What the collection hashes or compares. */
    private final Object[] keys;
    /** Whether the last attempt went well, and the hash of the keys then. */
    private boolean filled;
    private int hash;

    public Fill(Object[] keys) {
        this.keys = keys;
    }

    /** Empties the collection and fills it anew. */
    protected abstract void fill();

    /**
     * Fills all collections, in the order in which they ended: inner ones come first. In a cyclic graph
     * that order may not be enough: an outer object's hash may depend on a collection that ends later.
     * So there it is all repeated until no hash changes.
     */
    static void all(List<Fill> fills, boolean cyclic) {
        if (!cyclic) {
            for (Fill fill : fills) {
                fill.fill();
            }
            return;
        }
        boolean stable = false;
        for (int round = 0; !stable && round <= fills.size() + 1; round++) {
            stable = true;
            for (Fill fill : fills) {
                stable &= fill.attempt(round > fills.size());
            }
        }
    }

    /** Fills the collection and reports whether its keys' hashes are those of the last attempt. */
    private boolean attempt(boolean last) {
        try {
            int now = Arrays.hashCode(keys);
            fill();
            boolean stable = filled && now == hash;
            filled = true;
            hash = now;
            return stable;
        } catch (RuntimeException e) {
            // The program's code may have seen a collection that is not filled yet.
            if (last) {
                throw e;
            }
            filled = false;
            return false;
        }
    }

    /** The complaint that elements are equal now that were not when they were added. */
    public static NotCapturableException equalElements(Class<?> type) {
        return new NotCapturableException("a " + type.getName() + " holds elements that were different when they were"
            + " added and equal each other now");
    }
}
