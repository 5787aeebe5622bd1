package harrier.runtime.codec;

import java.util.AbstractMap;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntFunction;

/** The maps of the JDK that have a tag of their own. */
final class MapPlan extends Plan {
    private final CollectionPlan.Style style;
    private final Parameter parameter;
    private final IntFunction<Map<Object, Object>> maker;
    private final byte[] name;

    MapPlan(Class<?> type, CollectionPlan.Style style, Parameter parameter, IntFunction<Map<Object, Object>> maker) {
        super(type);
        this.style = style;
        this.parameter = parameter;
        this.maker = maker;
        name = Output.encoded(type.getName());
    }

    /** A key and its value, either of which may be null. */
    static final class Entry extends AbstractMap.SimpleImmutableEntry<Object, Object> {
        private static final long serialVersionUID = 1;

        Entry(Object key, Object value) {
            super(key, value);
        }
    }

    @Override
    void write(Encoder e, Object value) {
        if (e.known(value, this)) {
            return;
        }
        Map<?, ?> map = (Map<?, ?>) value;
        e.out.u8(tag());
        e.out.raw(name);
        parameter.write(e, value);
        if (style == CollectionPlan.Style.HASHED) {
            writeSorted(e, map);
            return;
        }
        e.out.varint(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            writeEntry(e, map, entry);
        }
    }

    private int tag() {
        return style == CollectionPlan.Style.HASHED ? Tag.MAP : Tag.ORDERED_MAP;
    }

    /** A count and the entries in the order of their keys' key bytes. */
    static void writeSorted(Encoder e, Map<?, ?> map) {
        int n = map.size();
        e.out.varint(n);
        if (n == 1) {
            writeEntry(e, map, map.entrySet().iterator().next());
        } else if (n > 1) {
            writeMany(e, map, n);
        }
    }

    private static void writeMany(Encoder e, Map<?, ?> map, int n) {
        Object[] keys = new Object[n];
        Object[] values = new Object[n];
        int met = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            keys[met] = entry.getKey();
            values[met++] = entry.getValue();
        }
        Unordered sorted = new Unordered(e, keys, values);
        for (int i = 0; i < n; i++) {
            sorted.write(i);
            int index = sorted.index(i);
            if (sorted.hasIdentities(i)) {
                e.lookups.add(e, map, keys[index]);
            }
            e.entry(keys[index]);
            e.write(values[index]);
        }
    }

    private static void writeEntry(Encoder e, Map<?, ?> map, Map.Entry<?, ?> entry) {
        e.anyElement();
        e.writeIn(map, entry.getKey());
        e.entry(entry.getKey());
        e.write(entry.getValue());
    }

    @Override
    Object read(Decoder d, int tag) {
        expect(d, tag, tag());
        int number = d.reserve();
        Map<Object, Object> map = null;
        switch (parameter) {
            case NONE, IDENTITY, CAPACITY -> d.nothing();
            case ACCESS_ORDER -> {
                map = maker.apply(0);
                Parameter.readAccessOrder(d, map);
            }
            case COMPARATOR -> {
                map = maker.apply(0);
                d.define(number, map);
                Parameter.readComparator(d, map);
            }
            case KEY_CLASS -> map = enumMap(Parameter.readKeyClass(d));
        }
        int n = d.in.count();
        if (map == null) {
            map = maker.apply(n);
        }
        d.define(number, map);
        put(d, map, readEntries(d, n));
        d.finish(number);
        return map;
    }

    private void put(Decoder d, Map<Object, Object> map, Entry[] entries) {
        switch (style) {
            case AT_ONCE -> putAll(d, map, entries);
            case SORTED, HEAP -> map.putAll(SortedSource.map(map, entries));
            case LATER, HASHED -> {
                d.later(new Fill(keys(entries)) {
                    @Override
                    void fill() {
                        map.clear();
                        for (Entry entry : entries) {
                            map.put(entry.getKey(), entry.getValue());
                        }
                        if (map.size() != entries.length) {
                            throw equalElements(type);
                        }
                    }
                });
            }
        }
    }

    private void putAll(Decoder d, Map<Object, Object> map, Entry[] entries) {
        try {
            for (Entry entry : entries) {
                map.put(entry.getKey(), entry.getValue());
            }
        } catch (ClassCastException | NullPointerException e) {
            throw d.in.bad("a key that " + type.getName() + " does not take");
        }
    }

    /** Reads a number of entries. */
    static Entry[] readEntries(Decoder d, int n) {
        Entry[] entries = new Entry[n];
        for (int i = 0; i < n; i++) {
            Object key = d.read();
            entries[i] = new Entry(key, d.read());
        }
        return entries;
    }

    static Object[] keys(Entry[] entries) {
        Object[] keys = new Object[entries.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = entries[i].getKey();
        }
        return keys;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Map<Object, Object> enumMap(Class<?> key) {
        return (Map<Object, Object>) (Map) new EnumMap((Class) key);
    }

    @Override
    int hash(Object value) {
        return super.hash(value) + ((Map<?, ?>) value).size();
    }
}
