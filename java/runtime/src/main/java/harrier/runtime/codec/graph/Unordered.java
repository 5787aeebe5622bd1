package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Bytes;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The elements of a collection without order, sorted by their key bytes. Key bytes serve as the
 * encoding wherever they are the same as what would be written again.
 */
public final class Unordered {
    private final Encoder e;
    private final Element[] elements;
    private final byte[] keys;

    /** The elements of a set. */
    public Unordered(Encoder e, Object[] elements) {
        this(e, elements, null);
    }

    /**
     * The keys of a map, or the elements of a set; leaves the output as it was.
     *
     * @param mapped the value of each key; null for elements
     */
    public Unordered(Encoder e, Object[] given, Object[] mapped) {
        this.e = e;
        Element[] unsorted = new Element[given.length];
        int start = e.out.size();
        for (int i = 0; i < given.length; i++) {
            unsorted[i] = element(given[i], i, start);
        }
        keys = e.out.cut(start);
        Sorting last = e.sorting(unsorted.length);
        if (last != null && isSortedBy(last.order, unsorted)) {
            elements = reordered(unsorted, last.order);
            return;
        }
        elements = sort(unsorted);
        if (mapped != null) {
            sortEqual(mapped);
        }
        int[] order = new int[elements.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = elements[i].index;
        }
        e.keep(new Sorting(order));
    }

    /**
     * Where the elements of a sorted collection were before. Another one with so many is likely to need the same: often it is what
     * became of the first one in another execution, with a value replaced.
     */
    record Sorting(int[] order) {}

    private boolean isSortedBy(int[] order, Element[] unsorted) {
        for (int i = 1; i < order.length; i++) {
            if (compare(unsorted[order[i - 1]], unsorted[order[i]]) >= 0) {
                return false; // nor are equal ones told apart
            }
        }
        return true;
    }

    private static Element[] reordered(Element[] unsorted, int[] order) {
        Element[] sorted = new Element[order.length];
        for (int i = 0; i < order.length; i++) {
            sorted[i] = unsorted[order[i]];
        }
        return sorted;
    }

    /** Most keys differ soon after what all have in common: numbers say how they go on there, so that few bytes need be looked at. */
    private Element[] sort(Element[] unsorted) {
        int n = unsorted.length;
        int common = common(unsorted);
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(n);
        long[] order = new long[n];
        for (int i = 0; i < n; i++) {
            order[i] = (begin(unsorted[i], common) ^ Long.MIN_VALUE) >> bits << bits | i;
        }
        Arrays.sort(order);
        Element[] sorted = new Element[n];
        int run = 0; // where those begin that are not told apart so far
        for (int i = 0; i < n; i++) {
            if (order[i] >> bits != order[run] >> bits) {
                Arrays.sort(sorted, run, i, this::compare);
                run = i;
            }
            sorted[i] = unsorted[(int) (order[i] & (1L << bits) - 1)];
        }
        Arrays.sort(sorted, run, n, this::compare);
        return sorted;
    }

    /** Sorts entries whose keys have equal key bytes, as they are told apart by what they are, by key and value as one. */
    private void sortEqual(Object[] mapped) {
        for (int from = 0, to; from < elements.length; from = to) {
            to = from + 1;
            while (to < elements.length && compare(elements[from], elements[to]) == 0) {
                to++;
            }
            if (to - from > 1) {
                Map<Element, byte[]> pairs = new IdentityHashMap<>();
                for (Element element : Arrays.asList(elements).subList(from, to)) {
                    pairs.put(element, pair(element.value, mapped[element.index]));
                }
                Arrays.sort(elements, from, to, (a, b) -> Arrays.compareUnsigned(pairs.get(a), pairs.get(b)));
            }
        }
    }

    private byte[] pair(Object key, Object value) {
        int start = e.out.size();
        int outer = e.startKey();
        e.anyElement();
        e.write(key);
        e.entry(key);
        e.write(value);
        e.endKey(outer);
        return e.out.cut(start);
    }

    /** With how many bytes all keys begin. */
    private int common(Element[] all) {
        Element first = all[0];
        int common = first.to - first.from;
        for (Element element : all) {
            int differs = Arrays.mismatch(keys, first.from, first.from + common, keys, element.from, element.to);
            common = differs < 0 ? common : differs;
        }
        return common;
    }

    /** The eight bytes of a key from some byte on, or what there is of them before zeros, as a number without sign. */
    private long begin(Element element, int common) {
        long begin = 0;
        for (int i = element.from + common; i < element.from + common + Long.BYTES; i++) {
            begin = begin << Byte.SIZE | (i < element.to ? keys[i] & 0xff : 0);
        }
        return begin;
    }

    private int compare(Element a, Element b) {
        int n = Math.min(a.to - a.from, b.to - b.from);
        int same = Bytes.common(keys, a.from, keys, b.from, n);
        return same == n ? a.to - a.from - (b.to - b.from) : (keys[a.from + same] & 0xff) - (keys[b.from + same] & 0xff);
    }

    private Element element(Object value, int index, int start) {
        int from = e.out.size() - start;
        int refs = e.refs();
        int outer = e.startKey();
        e.anyElement();
        e.write(value);
        int to = e.out.size() - start;
        return new Element(value, index, from, to, e.endKey(outer), e.refs() != refs);
    }

    /** Where the {@code i}-th value in the order of the format was before. */
    public int index(int i) {
        return elements[i].index;
    }

    public Object value(int i) {
        return elements[i].value;
    }

    /** Reports whether there is something in the {@code i}-th value that keeps its identity, and so may change. */
    public boolean hasIdentities(int i) {
        return elements[i].refers || elements[i].numbered.size() > 0;
    }

    /** Writes the {@code i}-th value. To be called for each of them in turn. */
    public void write(int i) {
        Element element = elements[i];
        // Without references the bytes say nothing about numbers, so they hold wherever they stand,
        // as long as no sibling that came before shares a numbered object.
        if (!element.refers && e.numbers.addAll(element.numbered)) {
            e.out.raw(keys, element.from, element.to);
        } else {
            e.anyElement();
            e.write(element.value);
        }
    }

    /** One value, where it was, where its key bytes are, what they number, and whether they refer to anything. */
    private record Element(Object value, int index, int from, int to, Numbers.Run numbered, boolean refers) {}
}
