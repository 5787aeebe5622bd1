package harrier.runtime.codec;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntFunction;

/** The lists, sets, queues and deques of the JDK that have a tag of their own. */
final class CollectionPlan extends Plan {
    /** How elements get into a collection that is decoded. */
    enum Style {
        /** At once: nothing of the program's runs. */
        AT_ONCE,
        /** At once, in the order of the encoding, without comparing. */
        SORTED,
        /** At once, to the places in a heap that the encoding gives them, without comparing. */
        HEAP,
        /** When all objects are complete, in the order of the encoding. */
        LATER,
        /** Likewise, but nothing depends on that order. */
        HASHED
    }

    private final Style style;
    private final Parameter parameter;
    private final IntFunction<Collection<Object>> maker;
    private final byte[] name;

    CollectionPlan(Class<?> type, Style style, Parameter parameter, IntFunction<Collection<Object>> maker) {
        super(type);
        this.style = style;
        this.parameter = parameter;
        this.maker = maker;
        name = Output.encoded(type.getName());
    }

    @Override
    void write(Encoder e, Object value) {
        if (e.known(value, this)) {
            return;
        }
        Collection<?> collection = (Collection<?>) value;
        e.out.u8(tag());
        e.out.raw(name);
        parameter.write(e, value);
        if (style == Style.HASHED) {
            writeSorted(e, collection);
        } else if (style == Style.HEAP) {
            writeInOrder(e, Heap.of(collection).inOrder());
        } else if (value instanceof Set<?> set) {
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

    private int tag() {
        return style == Style.HASHED ? Tag.SET : Tag.LIST;
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
    Object read(Decoder d, int tag) {
        expect(d, tag, tag());
        int number = d.reserve();
        Collection<Object> collection = null;
        switch (parameter) {
            case NONE, IDENTITY, ACCESS_ORDER -> d.nothing();
            case CAPACITY -> collection = maker.apply(Parameter.readCapacity(d));
            case COMPARATOR -> {
                collection = maker.apply(0);
                d.define(number, collection);
                Parameter.readComparator(d, collection);
            }
            case KEY_CLASS -> collection = noneOf(Parameter.readKeyClass(d));
        }
        int n = d.in.count();
        if (collection == null) {
            collection = maker.apply(n);
        }
        d.define(number, collection);
        put(d, collection, readValues(d, n));
        d.finish(number);
        return collection;
    }

    private void put(Decoder d, Collection<Object> collection, Object[] values) {
        switch (style) {
            case AT_ONCE -> addAll(d, collection, Arrays.asList(values));
            case SORTED -> addAll(d, collection, SortedSource.set(collection, values));
            case HEAP -> fillHeap(d, collection, values);
            case LATER, HASHED -> {
                d.later(new Fill(values) {
                    @Override
                    void fill() {
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
                void fill() {
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

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Collection<Object> noneOf(Class<?> key) {
        return (Collection<Object>) (Collection) EnumSet.noneOf((Class) key);
    }

    @Override
    int hash(Object value) {
        return super.hash(value) + ((Collection<?>) value).size();
    }
}
