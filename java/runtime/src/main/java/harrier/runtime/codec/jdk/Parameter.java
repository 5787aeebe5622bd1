package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.PriorityBlockingQueue;

/** What a collection has beside its elements. */
enum Parameter {
    NONE,
    /** No parameter; the keys of the map are compared by identity. */
    IDENTITY,
    /** True if a linked map is ordered by access, else null. */
    ACCESS_ORDER,
    /** How many elements fit, as an int. */
    CAPACITY,
    /** Null, or the comparator. */
    COMPARATOR,
    /** The name of the enum whose constants are the elements or keys. */
    KEY_CLASS;

    private static final long SET_MAP = offset(TreeSet.class, "m");
    private static final long SKIP_SET_MAP = offset(ConcurrentSkipListSet.class, "m");
    private static final long MAP_COMPARATOR = offset(TreeMap.class, "comparator");
    private static final long SKIP_MAP_COMPARATOR = offset(ConcurrentSkipListMap.class, "comparator");
    private static final long QUEUE_COMPARATOR = offset(PriorityQueue.class, "comparator");
    private static final long BLOCKING_QUEUE_COMPARATOR = offset(PriorityBlockingQueue.class, "comparator");
    private static final long ELEMENT_TYPE = offset(EnumSet.class, "elementType");
    private static final long KEY_TYPE = offset(EnumMap.class, "keyType");
    private static final long BY_ACCESS = offset(LinkedHashMap.class, "accessOrder");

    /** Writes the parameter of a collection. Refuses collections that have more beside their elements. */
    void write(Encoder e, Object collection) {
        e.field("parameter");
        switch (this) {
            case NONE -> e.write(null);
            case IDENTITY -> {
                for (Object key : ((Map<?, ?>) collection).keySet()) {
                    if (key != null && !e.keepsIdentity(key)) {
                        throw e.refuse(collection.getClass(), "its key is a value of class " + key.getClass().getName()
                            + ", which is compared by content; use a HashMap");
                    }
                }
                e.write(null);
            }
            case ACCESS_ORDER -> e.write(Raw.UNSAFE.getBoolean(collection, BY_ACCESS) ? true : null);
            case CAPACITY -> e.write(capacity((BlockingQueue<?>) collection));
            case COMPARATOR -> {
                Object owner = owner(collection);
                if (owner == null) {
                    throw e.refuse(collection.getClass(), "it is a view of another set; copy it into a set of its own");
                }
                e.field("comparator");
                e.write(Raw.UNSAFE.getReference(owner, comparatorOffset(owner)));
            }
            case KEY_CLASS -> {
                long offset = collection instanceof EnumSet ? ELEMENT_TYPE : KEY_TYPE;
                e.write(((Class<?>) Raw.UNSAFE.getReference(collection, offset)).getName());
            }
        }
    }

    /** Reads the comparator of a collection that was made without one. It may lead back to the collection. */
    static void readComparator(Decoder d, Object collection) {
        Object comparator = d.read();
        if (comparator != null && !(comparator instanceof Comparator)) {
            throw d.in.bad(comparator.getClass().getName() + " is no comparator");
        }
        Object owner = owner(collection);
        Raw.UNSAFE.putReference(owner, comparatorOffset(owner), comparator);
    }

    /** How many elements fit into a queue. */
    private static Integer capacity(BlockingQueue<?> queue) {
        return (int) Math.min(Integer.MAX_VALUE, (long) queue.size() + queue.remainingCapacity());
    }

    /** Reads a capacity. */
    static int readCapacity(Decoder d) {
        if (!(d.read() instanceof Integer capacity) || capacity <= 0) {
            throw d.in.bad("no capacity");
        }
        return capacity;
    }

    /** Reads whether a map that was made in order of insertion is ordered by access. */
    static void readAccessOrder(Decoder d, Object map) {
        Object order = d.read();
        if (order != null && order != Boolean.TRUE) {
            throw d.in.bad("no order of a map");
        }
        Raw.UNSAFE.putBoolean(map, BY_ACCESS, order != null);
    }

    /** Reads the enum of an {@code EnumSet} or {@code EnumMap}. */
    static Class<?> readKeyClass(Decoder d) {
        if (!(d.read() instanceof String name) || !d.resolve(name).isEnum()) {
            throw d.in.bad("no enum");
        }
        return d.resolve(name);
    }

    /** The object that holds the comparator; null if it is a part of another collection's. */
    static Object owner(Object collection) {
        Object owner = collection;
        if (collection instanceof TreeSet) {
            owner = Raw.UNSAFE.getReference(collection, SET_MAP);
        } else if (collection instanceof ConcurrentSkipListSet) {
            owner = Raw.UNSAFE.getReference(collection, SKIP_SET_MAP);
        }
        Class<?> type = owner.getClass();
        boolean holds = type == TreeMap.class || type == ConcurrentSkipListMap.class || type == PriorityQueue.class
            || type == PriorityBlockingQueue.class;
        return holds ? owner : null;
    }

    private static long comparatorOffset(Object owner) {
        if (owner instanceof TreeMap) {
            return MAP_COMPARATOR;
        }
        if (owner instanceof PriorityBlockingQueue) {
            return BLOCKING_QUEUE_COMPARATOR;
        }
        return owner instanceof PriorityQueue ? QUEUE_COMPARATOR : SKIP_MAP_COMPARATOR;
    }

    private static long offset(Class<?> type, String field) {
        return Raw.UNSAFE.objectFieldOffset(type, field);
    }
}
