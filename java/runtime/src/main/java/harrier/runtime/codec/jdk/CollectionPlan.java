package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.Fill;
import harrier.runtime.codec.graph.Unordered;
import harrier.runtime.jdk.Order;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntFunction;

/** The lists, sets, queues and deques of the JDK that have a tag of their own. */
final class CollectionPlan extends ContentPlan<Collection<Object>> {
    CollectionPlan(Class<?> type, Style style, Parameter parameter, IntFunction<Collection<Object>> maker) {
        super(type, style == Style.HASHED ? Tag.SET : Tag.LIST, style, parameter, maker);
    }

    @Override
    void writeContent(Encoder e, Collection<Object> collection) {
        if (style == Style.HASHED) {
            writeSorted(e, collection);
        } else if (style == Style.HEAP) {
            writeInOrder(e, Heap.of(collection).inOrder());
        } else if (collection instanceof Set<?> set) {
            writeSet(e, set);
        } else {
            writeInOrder(e, collection);
        }
    }

    /** A count and the elements in iteration order, each of which must be found. */
    private static void writeSet(Encoder e, Set<?> set) {
        e.out.varint(set.size());
        int i = 0;
        for (Object element : set) {
            e.element(i++);
            e.writeIn(set, element);
        }
    }

    /** A count and the elements in iteration order. */
    static void writeInOrder(Encoder e, Collection<?> collection) {
        e.out.varint(collection.size());
        int i = 0;
        for (Object element : collection) {
            e.element(i++);
            e.write(element);
        }
    }

    /** A count and the elements in the order of their key bytes. */
    static void writeSorted(Encoder e, Collection<?> collection) {
        int n = collection.size();
        e.out.varint(n);
        if (n == 1) {
            e.anyElement();
            e.writeIn(collection, collection.iterator().next());
        } else if (n > 1) {
            Unordered sorted = new Unordered(e, collection.toArray());
            for (int i = 0; i < n; i++) {
                sorted.write(i);
                if (sorted.hasIdentities(i)) {
                    e.lookups.add(e, collection, sorted.value(i));
                }
            }
        }
    }

    @Override
    void readContent(Decoder d, Collection<Object> collection, int n) {
        Object[] values = readValues(d, n);
        switch (style) {
            case AT_ONCE -> addAll(d, collection, Arrays.asList(values));
            case SORTED -> SortedTree.fill(collection, values);
            case HEAP -> fillHeap(d, collection, values);
            case LATER, HASHED -> {
                d.later(new Fill(values) {
                    @Override
                    protected void fill() {
                        collection.clear();
                        collection.addAll(Arrays.asList(values));
                        if (collection.size() != values.length) {
                            throw equalElements(type);
                        }
                    }
                });
            }
        }
    }

    private void addAll(Decoder d, Collection<Object> collection, Collection<Object> values) {
        try {
            collection.addAll(values);
        } catch (ClassCastException | NullPointerException e) {
            throw d.in.bad("an element that " + type.getName() + " does not take");
        }
    }

    /** What comes out in one order only may have another order inside: a program that iterates over it shows it. */
    private static void fillHeap(Decoder d, Collection<Object> queue, Object[] values) {
        Heap heap = Heap.of(queue);
        heap.set(values);
        if (Order.isOn() && values.length > 2) {
            d.later(new Fill(values) {
                @Override
                protected void fill() {
                    heap.set(values);
                    heap.disturb();
                }
            });
        }
    }

    /** Reads a number of values. */
    static Object[] readValues(Decoder d, int n) {
        Object[] values = new Object[n];
        for (int i = 0; i < n; i++) {
            values[i] = d.read();
        }
        return values;
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    Collection<Object> emptyOf(Class<?> key) {
        return (Collection<Object>) (Collection) EnumSet.noneOf((Class) key);
    }

    @Override
    protected int hash(Object value) {
        return super.hash(value) + ((Collection<?>) value).size();
    }
}
