package harrier.runtime.codec;

import harrier.ActorName;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.TemporalAccessor;
import java.util.*;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import jdk.internal.misc.Unsafe;

/**
 * A text that tells any two graphs apart that a program could, written by plain reflection and without
 * the codec. Objects are labelled in the order in which a walk meets them; a collection without order
 * is walked in the order of its elements' own texts.
 */
final class Dump {
    /** What the JDK's classes can compute again, count, or need while a lock is held. */
    private static final List<String> CACHES = List.of("modCount", "keySet", "values", "entrySet",
        "backtrace", "depth", "stackTrace", "zeroLengthElementArray", "exclusiveOwnerThread", "readHolds",
        "cachedHoldCounter", "firstReader", "firstReaderHoldCount", "readLockView", "writeLockView", "readWriteLockView");

    /** Objects that nobody tells from equal ones, whose text is their content. */
    private static final List<Class<?>> TEXTS = List.of(BigInteger.class, BigDecimal.class, TemporalAccessor.class,
        Duration.class, UUID.class, OptionalInt.class, Locale.class, Class.class);

    /** The same, but what they hold is told field by field. */
    private static final List<String> VALUES = List.of("java.util.KeyValueHolder", "java.util.Comparators$NullComparator",
        "java.util.concurrent.CompletableFuture$AltResult", "java.util.concurrent.atomic.AtomicStampedReference$Pair");

    private final StringBuilder out = new StringBuilder();
    private final IdentityHashMap<Object, Integer> labels;

    private Dump(IdentityHashMap<Object, Integer> labels) {
        this.labels = labels;
    }

    static String of(Object value) {
        Dump dump = new Dump(new IdentityHashMap<>());
        dump.value(value);
        return dump.out.toString();
    }

    private void value(Object v) {
        if (v == null) {
            out.append("null");
        } else if (v instanceof Float f) {
            out.append("float ").append(Float.floatToRawIntBits(f));
        } else if (v instanceof Double d) {
            out.append("double ").append(Double.doubleToRawLongBits(d));
        } else if (v instanceof String || v instanceof Boolean || v instanceof Character || v instanceof ActorName
                || v instanceof Integer || v instanceof Long || v instanceof Short || v instanceof Byte) {
            out.append(v.getClass().getSimpleName()).append('<').append(v).append('>');
        } else if (v instanceof Enum<?> constant) {
            out.append(constant.getDeclaringClass().getName()).append('.').append(constant.name());
        } else if (v instanceof Optional<?> optional) {
            out.append("Optional ");
            value(optional.orElse(null));
        } else if (TEXTS.stream().anyMatch(type -> type.isInstance(v))) {
            out.append(v.getClass().getSimpleName()).append('<').append(v).append('>');
        } else if (v instanceof Record || v.getClass().isHidden() || VALUES.contains(v.getClass().getName())) {
            fields(v);
        } else {
            immutableOrLabelled(v);
        }
    }

    private void immutableOrLabelled(Object v) {
        boolean immutable = v.getClass().getName().startsWith("java.util.ImmutableCollections");
        if (!immutable) {
            Integer label = labels.putIfAbsent(v, labels.size());
            if (label != null) {
                out.append('#').append(label);
                return;
            }
        }
        out.append(immutable ? "immutable" : v.getClass().getName());
        if (v.getClass().isArray()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(v); i++) {
                elements.add(Array.get(v, i));
            }
            inOrder(elements);
        } else if (v instanceof CharSequence) {
            out.append('<').append(v).append('>');
        } else if (v instanceof ArrayList || v instanceof LinkedHashMap) {
            collection(v);
            ownFields(v, v instanceof ArrayList ? ArrayList.class : LinkedHashMap.class);
        } else if (v.getClass().getName().matches("java\\.util\\.(concurrent\\.)?[A-Za-z]*|java\\.util\\.ImmutableC.*")) {
            collection(v);
        } else {
            fields(v);
        }
    }

    private void collection(Object v) {
        if (v instanceof SortedSet<?> set) {
            value(set.comparator());
        } else if (v instanceof SortedMap<?, ?> map) {
            value(map.comparator());
        } else if (v instanceof PriorityQueue<?> queue) {
            value(queue.comparator());
        } else if (v instanceof PriorityBlockingQueue<?> queue) {
            value(queue.comparator());
        } else if (v instanceof BlockingQueue<?> queue) {
            out.append(queue.remainingCapacity());
        } else if (v instanceof LinkedHashMap<?, ?> map) {
            ownFields(map, HashMap.class, "accessOrder");
        }
        boolean ordered = !(v instanceof Set || v instanceof Map) || v instanceof SortedSet || v instanceof SortedMap
            || v instanceof LinkedHashSet || v instanceof LinkedHashMap || v instanceof EnumSet || v instanceof EnumMap
            || v.getClass().getSimpleName().startsWith("CopyOnWrite");
        if (v instanceof Map<?, ?> map) {
            List<Object> keys = order(map.keySet(), ordered);
            for (Object key : keys) {
                out.append(" {");
                value(key);
                out.append(": ");
                value(find(map, key));
                out.append('}');
            }
        } else if (v instanceof Collection<?> all) {
            inOrder(v instanceof PriorityQueue<?> queue ? polled(queue, queue.comparator())
                : v instanceof PriorityBlockingQueue<?> queue ? polled(queue, queue.comparator()) : order(all, ordered));
        } else if (v instanceof BitSet bits) {
            out.append(bits);
        } else {
            fields(v);
        }
    }

    /** The elements of a queue in the order in which they come out; if there are several, as they are inside. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<Object> polled(Queue<?> queue, Comparator<?> comparator) {
        List<Object> places = new ArrayList<>(queue);
        List<Object> sorted = new ArrayList<>(places);
        Comparator<Object> order = comparator != null ? (Comparator<Object>) comparator : (Comparator) Comparator.naturalOrder();
        sorted.sort(order);
        for (int i = 1; i < sorted.size(); i++) {
            if (order.compare(sorted.get(i - 1), sorted.get(i)) == 0 && !sorted.get(i).equals(sorted.get(i - 1))) {
                return places;
            }
        }
        return sorted;
    }

    /** The value of a key, without asking the key's hashCode. */
    private static Object find(Map<?, ?> map, Object key) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (entry.getKey() == key) {
                return entry.getValue();
            }
        }
        throw new AssertionError();
    }

    private List<Object> order(Collection<?> all, boolean ordered) {
        List<Object> elements = new ArrayList<>(all);
        if (!ordered) {
            Map<Object, String> texts = new IdentityHashMap<>();
            for (Object element : elements) {
                Dump dump = new Dump(new IdentityHashMap<>(labels));
                dump.value(element);
                texts.put(element == null ? texts : element, dump.out.toString());
            }
            elements.sort(Comparator.comparing(element -> texts.get(element == null ? texts : element)));
        }
        return elements;
    }

    private void inOrder(List<Object> elements) {
        out.append(" [");
        for (Object element : elements) {
            value(element);
            out.append(", ");
        }
        out.append(']');
    }

    private void fields(Object v) {
        out.append(v.getClass().getName());
        ownFields(v, null);
    }

    /** The fields that a class adds to one of its superclasses; of these, only those with the given names, if any. */
    private void ownFields(Object v, Class<?> superclass, String... names) {
        out.append('(');
        for (Class<?> c = v.getClass(); c != superclass; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                boolean cache = CACHES.contains(field.getName()) && c.getName().startsWith("java.")
                    || names.length > 0 && !List.of(names).contains(field.getName());
                if (!Modifier.isStatic(field.getModifiers()) && !cache && c != harrier.Actor.class) {
                    out.append(c.getSimpleName()).append('.').append(field.getName()).append('=');
                    value(get(field, v));
                    out.append(' ');
                }
            }
        }
        out.append(')');
    }

    private static Object get(Field field, Object holder) {
        // The JDK's own packages are closed to reflection.
        Unsafe unsafe = Unsafe.getUnsafe();
        long offset = unsafe.objectFieldOffset(field);
        if (!field.getType().isPrimitive()) {
            return unsafe.getReference(holder, offset);
        }
        return switch (field.getType().getName()) {
            case "long" -> unsafe.getLong(holder, offset);
            case "double" -> unsafe.getDouble(holder, offset);
            case "int" -> unsafe.getInt(holder, offset);
            case "float" -> unsafe.getFloat(holder, offset);
            case "short" -> unsafe.getShort(holder, offset);
            case "char" -> unsafe.getChar(holder, offset);
            case "byte" -> unsafe.getByte(holder, offset);
            default -> unsafe.getBoolean(holder, offset);
        };
    }
}
