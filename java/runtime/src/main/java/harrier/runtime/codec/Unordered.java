package harrier.runtime.codec;

import java.util.Arrays;

/**
 * The elements of a collection without order, sorted by their key bytes. Key bytes serve as the
 * encoding wherever they are the same as what would be written again.
 */
final class Unordered {
    private final Encoder e;
    private final Element[] elements;
    private final byte[] keys;

    /** Sorts {@code values}; leaves the output as it was. */
    Unordered(Encoder e, Object[] values) {
        this.e = e;
        elements = new Element[values.length];
        int start = e.out.size();
        for (int i = 0; i < values.length; i++) {
            elements[i] = element(values[i], i, start);
        }
        keys = e.out.cut(start);
        Arrays.sort(elements, this::compare);
    }

    /** Most keys differ early: a number says how they begin, so that few bytes need be looked at. */
    private int compare(Element a, Element b) {
        int begin = Long.compareUnsigned(a.begin, b.begin);
        return begin != 0 ? begin : Arrays.compareUnsigned(keys, a.from, a.to, keys, b.from, b.to);
    }

    private Element element(Object value, int index, int start) {
        int from = e.out.size() - start;
        int refs = e.refs();
        int outer = e.startKey();
        e.anyElement();
        e.write(value);
        int to = e.out.size() - start;
        return new Element(value, index, from, to, e.out.begin(start + from), e.endKey(outer), e.refs() != refs);
    }

    /** Where the {@code i}-th value in the order of the format was before. */
    int index(int i) {
        return elements[i].index;
    }

    /** Writes the {@code i}-th value. To be called for each of them in turn. */
    void write(int i) {
        Element element = elements[i];
        // Without references the bytes say nothing about numbers, so they hold wherever they stand,
        // as long as no sibling that came before shares what was numbered.
        if (!element.refers && e.numbers.addAll(element.numbered)) {
            e.out.raw(keys, element.from, element.to);
        } else {
            e.anyElement();
            e.write(element.value);
        }
    }

    /**
     * One value, where it was, where its key bytes are and how they begin, what they number, and whether they refer to
     * anything.
     */
    private record Element(Object value, int index, int from, int to, long begin, Numbers.Run numbered,
            boolean refers) {}
}
