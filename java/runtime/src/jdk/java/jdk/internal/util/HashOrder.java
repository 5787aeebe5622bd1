package jdk.internal.util;

import java.util.Arrays;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * In which order the hash collections of the JDK iterate. Rewritten methods of theirs
 * ({@code harrier.runtime.jdk.JdkRewrite}) call what has their name here while an order is on in their thread.
 *
 * <p>This class is the JDK's own by its package, so that programs cannot call it. It uses nothing that iterates
 * over a hash collection, and no lambdas, which the virtual machine may not have yet.
 */
public final class HashOrder {
    /**
     * Of each thread: the number of its order, 0 for the one in which collections iterate by themselves; what its orders
     * are drawn from; the largest number of elements that were put into the order; the largest number of these that
     * are told apart by identity hash codes, which differ in each execution; what the constants below say.
     */
    public static final ThreadLocal<int[]> HERE = new Here();

    /** What the order of each thread is drawn from, which is done when it is needed. */
    public static final ThreadLocal<byte[]> DRAWN_FROM = new ThreadLocal<>();

    /** How many lookups in hash collections are going on. */
    static final int LOOKUPS = 4;
    /** How many objects were asked for their identity hash codes in this execution, other than for a lookup. */
    static final int ASKED = 5;
    /** Which identity hash codes these are given ({@link IdentityCodes}); 0 for such as outlive an execution. */
    static final int CODES = 6;
    /** Whether the number that decides the order is drawn. */
    static final int DRAWN = 7;
    /** How many collections this execution iterated over. */
    static final int COLLECTIONS = 8;
    /** 1 while a hash code is asked for that nothing but a look-up sees. */
    static final int UNSEEN = 9;
    /** 1 once this execution got an identity hash code, other than for a lookup. */
    static final int IDENTITY = 10;
    /** How many numbers there are of each thread. */
    private static final int ALL = 11;

    /** Puts a list into the order that is on. */
    public static final UnaryOperator<List<Object>> IN_ORDER = new InOrder();

    private HashOrder() {}

    private static final class InOrder implements UnaryOperator<List<Object>> {
        @Override
        public List<Object> apply(List<Object> elements) {
            Object[] ordered = new Object[elements.size()];
            Places places = new Places(elements, ordered.length, null, HERE.get());
            for (int i = 0; i < ordered.length; i++) {
                ordered[i] = elements.get(places.next());
            }
            return List.of(ordered);
        }
    }

    private static final class Here extends ThreadLocal<int[]> {
        @Override
        protected int[] initialValue() {
            return new int[ALL];
        }
    }

    /** Whether an order is on in this thread. */
    public static boolean isOn() {
        return HERE.get()[0] != 0;
    }

    /** The elements of a view of a collection as it iterates by itself. */
    private static Object[] plain(Collection<?> view, int[] here) {
        int order = here[0];
        here[0] = 0;
        try {
            Object[] elements = new Object[view.size()];
            int n = 0;
            for (Iterator<?> i = view.iterator(); i.hasNext(); n++) {
                if (n == elements.length) {
                    elements = Arrays.copyOf(elements, 2 * n + 1);
                }
                elements[n] = i.next();
            }
            return n == elements.length ? elements : Arrays.copyOf(elements, n);
        } finally {
            here[0] = order;
        }
    }

    private static Iterator<?> plainIterator(Collection<?> view) {
        int[] here = HERE.get();
        int order = here[0];
        here[0] = 0;
        try {
            return view.iterator();
        } finally {
            here[0] = order;
        }
    }

    public static Iterator<?> iterator(Collection<?> view) {
        return new Fixed(view);
    }

    public static Iterator<?> keys(Collection<?> keys, Map<?, ?> map) {
        return new ByKey(keys, map, ByKey.KEYS);
    }

    public static Iterator<?> values(Collection<?> keys, Map<?, ?> map) {
        return new ByKey(keys, map, ByKey.VALUES);
    }

    public static Iterator<?> entries(Collection<?> keys, Map<?, ?> map) {
        return new ByKey(keys, map, ByKey.ENTRIES);
    }

    public static Enumeration<?> enumeration(Collection<?> view) {
        Iterator<?> elements = view.iterator();
        if (elements instanceof Fixed) {
            ((Fixed) elements).probe = null; // enumerations do not notice changes
        }
        return (Enumeration<?>) elements;
    }

    public static Spliterator<?> spliterator(Collection<?> view) {
        return Spliterators.spliterator(view, view instanceof Set ? Spliterator.DISTINCT : 0);
    }

    /** Of a collection that may change meanwhile. */
    public static Spliterator<?> concurrentSpliterator(Collection<?> view) {
        int distinct = view instanceof Set ? Spliterator.DISTINCT : 0;
        return Spliterators.spliterator(view, distinct | Spliterator.CONCURRENT | Spliterator.NONNULL);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void forEach(Collection<?> view, Consumer<?> action) {
        view.iterator().forEachRemaining((Consumer) action);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void forEach(Collection<?> entries, BiConsumer<?, ?> action) {
        java.util.Objects.requireNonNull(action);
        entries.iterator().forEachRemaining(new Consumer<Object>() {
            @Override
            public void accept(Object entry) {
                ((BiConsumer) action).accept(((Map.Entry) entry).getKey(), ((Map.Entry) entry).getValue());
            }
        });
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void replaceAll(Collection<?> entries, BiFunction<?, ?, ?> function) {
        java.util.Objects.requireNonNull(function);
        entries.iterator().forEachRemaining(new Consumer<Object>() {
            @Override
            public void accept(Object o) {
                Map.Entry entry = (Map.Entry) o;
                entry.setValue(((BiFunction) function).apply(entry.getKey(), entry.getValue()));
            }
        });
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static boolean removeIf(Collection<?> view, Predicate<?> filter) {
        java.util.Objects.requireNonNull(filter);
        boolean removed = false;
        for (Iterator<?> i = view.iterator(); i.hasNext();) {
            if (((Predicate) filter).test(i.next())) {
                i.remove();
                removed = true;
            }
        }
        return removed;
    }

    public static Object[] toArray(Collection<?> view) {
        return toArray(view, new Object[0]);
    }

    public static Object[] toArray(Collection<?> view, Object[] into) {
        int[] here = HERE.get();
        int order = here[0];
        here[0] = 0;
        Object[] array;
        try {
            array = view.toArray(into);
        } finally {
            here[0] = order;
        }
        if (view instanceof java.util.LinkedHashSet) {
            return array; // inherits the method, and has an order of its own
        }
        int n = view.size();
        Object[] plain = Arrays.copyOf(array, n, Object[].class);
        Places places = new Places(view, n, IdentitySequence.of(view, plain, here), here);
        for (int i = 0; i < n; i++) {
            array[i] = plain[places.next()];
        }
        return array;
    }

    /** The hash code of an enum constant, which it may keep in a field. */
    public static int hashCode(Enum<?> constant) {
        return IdentityCodes.identityHashCode(constant);
    }

    public static String toString(Collection<?> entries, Map<?, ?> map) {
        StringBuilder text = new StringBuilder("{");
        for (Iterator<?> i = entries.iterator(); i.hasNext();) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) i.next();
            text.append(text.length() > 1 ? ", " : "");
            text.append(entry.getKey() == map ? "(this Map)" : entry.getKey()).append('=');
            text.append(entry.getValue() == map ? "(this Map)" : entry.getValue());
        }
        return text.append('}').toString();
    }

    /** The places of elements, one after the other, in the order that is on. */
    private static final class Places {
        /** Null if they come one after the other. */
        private final int[] order;
        /** The places in the order that is put into another one; null if that is theirs. */
        private final int[] sequence;
        private int next;

        Places(Object collection, int n, int[] sequence, int[] here) {
            this.sequence = sequence;
            order = Drawing.of(collection, n, here);
        }

        int next() {
            int now = order == null ? next : order[next];
            next++;
            return sequence == null ? now : sequence[now];
        }
    }

    /** Iterates over a view of a collection that keeps its order while elements are removed, and must not be changed else. */
    private static final class Fixed implements Iterator<Object>, Enumeration<Object> {
        private final Collection<?> view;
        private final Object[] elements;
        private final Places places;
        /** Which elements were removed; null if none was. */
        private boolean[] removed;
        /** Notices changes of the collection as the iterator notices them that would be here. */
        private Iterator<?> probe;
        private int met;
        private int last = -1;

        Fixed(Collection<?> view) {
            int[] here = HERE.get();
            this.view = view;
            elements = plain(view, here);
            places = new Places(view, elements.length, IdentitySequence.of(view, elements, here), here);
            probe = plainIterator(view);
        }

        @Override
        public boolean hasNext() {
            return met < elements.length;
        }

        @Override
        public Object next() {
            if (probe != null) {
                probe.next();
            }
            if (met == elements.length) {
                throw new java.util.NoSuchElementException();
            }
            met++;
            last = places.next();
            return elements[last];
        }

        /** Removes by the place that the element has among those that are left. */
        @Override
        public void remove() {
            if (last < 0) {
                throw new IllegalStateException();
            }
            if (probe != null && probe.hasNext()) {
                probe.next();
            }
            if (removed == null) {
                removed = new boolean[elements.length];
            }
            Iterator<?> plain = plainIterator(view);
            for (int i = 0; i < last; i++) {
                if (!removed[i]) {
                    plain.next();
                }
            }
            plain.next();
            plain.remove();
            removed[last] = true;
            last = -1;
            probe = plainIterator(view);
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            java.util.Objects.requireNonNull(action);
            Iterator<?> end = met < elements.length ? plainIterator(view) : null;
            while (met < elements.length) {
                met++;
                last = places.next();
                action.accept(elements[last]);
            }
            if (end != null) {
                end.next(); // notices what the action changed
            }
        }

        @Override
        public boolean hasMoreElements() {
            return hasNext();
        }

        @Override
        public Object nextElement() {
            return next();
        }
    }

    /**
     * Iterates over the keys of a map, and looks up what else it has to give: for maps whose elements change their places,
     * vanish, or may be removed meanwhile.
     */
    private static final class ByKey implements Iterator<Object>, Enumeration<Object> {
        static final int KEYS = 0;
        static final int VALUES = 1;
        static final int ENTRIES = 2;

        private final Collection<?> view;
        private final Map<?, ?> map;
        private final int kind;
        private final boolean isConcurrent;
        private final Object[] keys;
        private final Places places;
        private Iterator<?> probe;
        private int met;
        private boolean hasNext;
        private Object nextKey;
        private Object nextValue;
        private Object last;
        private boolean hasLast;

        ByKey(Collection<?> view, Map<?, ?> map, int kind) {
            int[] here = HERE.get();
            this.view = view;
            this.map = map;
            this.kind = kind;
            isConcurrent = map instanceof java.util.concurrent.ConcurrentMap;
            keys = plain(view, here);
            places = new Places(map, keys.length, IdentitySequence.of(view, keys, here), here);
            probe = plainIterator(view);
            advance();
        }

        /** Finds the next element: in a map for several threads one of those that are still there. */
        private void advance() {
            hasNext = false;
            while (!hasNext && met < keys.length) {
                met++;
                nextKey = keys[places.next()];
                if (isConcurrent) {
                    nextValue = map.get(nextKey);
                }
                hasNext = !isConcurrent || nextValue != null;
            }
        }

        @Override
        public boolean hasNext() {
            return hasNext;
        }

        @Override
        public Object next() {
            if (!isConcurrent) {
                probe.next();
            }
            if (!hasNext) {
                throw new java.util.NoSuchElementException();
            }
            last = nextKey;
            hasLast = true;
            Object value = nextValue;
            advance();
            if (kind == KEYS) {
                return last;
            }
            Live entry = new Live(map, last, value);
            return kind == VALUES ? entry.getValue() : entry;
        }

        @Override
        public void remove() {
            if (!hasLast) {
                throw new IllegalStateException();
            }
            if (!isConcurrent && probe.hasNext()) {
                probe.next();
            }
            view.remove(last);
            hasLast = false;
            probe = plainIterator(view);
        }

        @Override
        public boolean hasMoreElements() {
            return hasNext();
        }

        @Override
        public Object nextElement() {
            return next();
        }
    }

    /** An entry that is looked up in its map. */
    private static final class Live implements Map.Entry<Object, Object> {
        private final Map<?, ?> map;
        private final Object key;
        /** In a map for several threads: the value when the entry was met. */
        private Object value;

        Live(Map<?, ?> map, Object key, Object value) {
            this.map = map;
            this.key = key;
            this.value = value;
        }

        @Override
        public Object getKey() {
            return key;
        }

        @Override
        public Object getValue() {
            return value != null ? value : map.get(key);
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"})
        public Object setValue(Object newValue) {
            Object old = value;
            Object replaced = ((Map) map).put(key, newValue);
            value = old == null ? null : newValue;
            return old == null ? replaced : old;
        }

        private boolean isByIdentity() {
            return map instanceof java.util.IdentityHashMap;
        }

        @Override
        public boolean equals(Object o) {
            if (!(o instanceof Map.Entry)) {
                return false;
            }
            Map.Entry<?, ?> other = (Map.Entry<?, ?>) o;
            return isByIdentity() ? other.getKey() == key && other.getValue() == getValue()
                : java.util.Objects.equals(key, other.getKey()) && java.util.Objects.equals(getValue(), other.getValue());
        }

        @Override
        public int hashCode() {
            return isByIdentity() ? System.identityHashCode(key) ^ System.identityHashCode(getValue())
                : java.util.Objects.hashCode(key) ^ java.util.Objects.hashCode(getValue());
        }

        @Override
        public String toString() {
            return key + "=" + getValue();
        }
    }
}
