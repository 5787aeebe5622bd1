package harrier.runtime.codec;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Sorted elements as {@code TreeSet.addAll} and {@code TreeMap.putAll} take them without comparing: they
 * believe a sorted source that has the same comparator. So nothing of the program's runs, and elements
 * keep their order even if they would compare differently by now.
 */
final class SortedSource {
    private SortedSource() {}

    /** A source for {@code target} with the given elements. */
    static Collection<Object> set(Collection<Object> target, Object[] elements) {
        return new OfSet(((SortedSet<Object>) target).comparator(), elements);
    }

    /** A source for {@code target} with the given entries. */
    static Map<Object, Object> map(Map<Object, Object> target, MapPlan.Entry[] entries) {
        return new OfMap(((SortedMap<Object, Object>) target).comparator(), entries);
    }

    private static final class OfSet extends AbstractSet<Object> implements SortedSet<Object> {
        private final Comparator<? super Object> comparator;
        private final Object[] elements;

        OfSet(Comparator<? super Object> comparator, Object[] elements) {
            this.comparator = comparator;
            this.elements = elements;
        }

        @Override
        public Comparator<? super Object> comparator() {
            return comparator;
        }

        @Override
        public Iterator<Object> iterator() {
            return Arrays.asList(elements).iterator();
        }

        @Override
        public int size() {
            return elements.length;
        }

        @Override
        public Object first() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object last() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedSet<Object> subSet(Object from, Object to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedSet<Object> headSet(Object to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedSet<Object> tailSet(Object from) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class OfMap extends AbstractMap<Object, Object> implements SortedMap<Object, Object> {
        private final Comparator<? super Object> comparator;
        private final MapPlan.Entry[] entries;

        OfMap(Comparator<? super Object> comparator, MapPlan.Entry[] entries) {
            this.comparator = comparator;
            this.entries = entries;
        }

        @Override
        public Comparator<? super Object> comparator() {
            return comparator;
        }

        @Override
        public Set<Map.Entry<Object, Object>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Map.Entry<Object, Object>> iterator() {
                    return Arrays.<Map.Entry<Object, Object>>asList(entries).iterator();
                }

                @Override
                public int size() {
                    return entries.length;
                }
            };
        }

        @Override
        public Object firstKey() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object lastKey() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedMap<Object, Object> subMap(Object from, Object to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedMap<Object, Object> headMap(Object to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedMap<Object, Object> tailMap(Object from) {
            throw new UnsupportedOperationException();
        }
    }
}
