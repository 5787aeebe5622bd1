package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.Fill;
import harrier.runtime.codec.graph.Unordered;
import java.util.AbstractMap;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntFunction;

/** The maps of the JDK that have a tag of their own. */
final class MapPlan extends ContentPlan<Map<Object, Object>> {
    MapPlan(Class<?> type, Style style, Parameter parameter, IntFunction<Map<Object, Object>> maker) {
        super(type, style == Style.HASHED ? Tag.MAP : Tag.ORDERED_MAP, style, parameter, maker);
    }

    /** A key and its value, either of which may be null. */
    static final class Entry extends AbstractMap.SimpleImmutableEntry<Object, Object> {
        private static final long serialVersionUID = 1;

        Entry(Object key, Object value) {
            super(key, value);
        }
    }

    @Override
    void writeContent(Encoder e, Map<Object, Object> map) {
        if (style == Style.HASHED) {
            writeSorted(e, map);
            return;
        }
        e.out.varint(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            writeEntry(e, map, entry);
        }
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
    void readContent(Decoder d, Map<Object, Object> map, int n) {
        Entry[] entries = readEntries(d, n);
        switch (style) {
            case AT_ONCE -> putAll(d, map, entries);
            case SORTED -> SortedTree.fill(map, entries);
            case LATER, HASHED -> {
                d.later(new Fill(keys(entries)) {
                    @Override
                    protected void fill() {
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

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    Map<Object, Object> emptyOf(Class<?> key) {
        return (Map<Object, Object>) (Map) new EnumMap((Class) key);
    }

    @Override
    protected int hash(Object value) {
        return super.hash(value) + ((Map<?, ?>) value).size();
    }
}
