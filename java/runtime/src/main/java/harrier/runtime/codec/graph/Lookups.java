package harrier.runtime.codec.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;

/**
 * Whether sets and maps find their own elements. One that changed after it was added may be missed where it is, and would be
 * found when the collection is made anew, since its elements are added again then.
 */
public final class Lookups {
    private final List<Object> collections = new ArrayList<>();
    private final List<Object> elements = new ArrayList<>();
    /** An element that is known to be missed; null if none is. */
    private Object missed;

    /** Notes an element of the set, or key of the map, that is the encoder's present value, and refuses it if it is missed. */
    public void add(Encoder e, Object collection, Object element) {
        if (element == missed) {
            throw e.refuse(collection.getClass(), "an element has changed since it was added, so that a look-up misses it: take it"
                + " out before it changes, and add it again");
        }
        collections.add(collection);
        elements.add(element);
    }

    /** Looks all of them up, and reports whether one is missed. Runs the program's code. */
    public boolean miss() {
        for (int i = 0; i < elements.size() && missed == null; i++) {
            try {
                missed = finds(collections.get(i), elements.get(i)) ? null : elements.get(i);
            } catch (OutOfMemoryError e) {
                throw e;
            } catch (RuntimeException | Error failed) {
                // It will fail, too, when the collection is made anew, which is told.
            }
        }
        return missed != null;
    }

    private static boolean finds(Object collection, Object element) {
        if (collection instanceof NavigableMap<?, ?> map) {
            return ceiling(map, element) == element;
        } else if (collection instanceof NavigableSet<?> set) {
            return ceiling(set, element) == element;
        } else if (collection instanceof Map<?, ?> map) {
            return map.containsKey(element);
        }
        return ((Set<?>) collection).contains(element);
    }

    @SuppressWarnings("unchecked")
    private static Object ceiling(NavigableMap<?, ?> map, Object key) {
        return ((NavigableMap<Object, ?>) map).ceilingKey(key);
    }

    @SuppressWarnings("unchecked")
    private static Object ceiling(NavigableSet<?> set, Object key) {
        return ((NavigableSet<Object>) set).ceiling(key);
    }
}
