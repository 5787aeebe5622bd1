package harrier.runtime.codec;

import harrier.ActorName;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.*;
import jdk.internal.misc.Unsafe;

/**
 * A text that tells any two graphs apart that a program could, written by plain reflection and without
 * the codec. Objects are labelled in the order in which a walk meets them; a collection without order
 * is walked in the order of its elements' own texts.
 */
final class Dump {
    private static final List<String> CACHES =
        List.of("modCount", "keySet", "values", "entrySet", "precision", "stringCache");

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
                || v instanceof java.math.BigInteger || v instanceof java.math.BigDecimal || v instanceof Integer || v instanceof Long || v instanceof Short || v instanceof Byte) {
            out.append(v.getClass().getSimpleName()).append('<').append(v).append('>');
        } else if (v instanceof Enum<?> constant) {
            out.append(constant.getDeclaringClass().getName()).append('.').append(constant.name());
        } else if (v instanceof Optional<?> optional) {
            out.append("Optional ");
            value(optional.orElse(null));
        } else if (v instanceof Record) {
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
            inOrder(v instanceof PriorityQueue<?> queue ? polled(queue) : order(all, ordered));
        } else if (v instanceof BitSet bits) {
            out.append(bits);
        } else {
            fields(v);
        }
    }

    /** The elements of a queue in the order in which they come out; if there are several, as they are inside. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<Object> polled(PriorityQueue<?> queue) {
        List<Object> places = new ArrayList<>(queue);
        List<Object> sorted = new ArrayList<>(places);
        Comparator<Object> order = queue.comparator() != null ? (Comparator<Object>) queue.comparator()
            : (Comparator) Comparator.naturalOrder();
        sorted.sort(order);
        for (int i = 1; i < sorted.size(); i++) {
            if (order.compare(sorted.get(i - 1), sorted.get(i)) == 0) {
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
        out.append(v.getClass().getName()).append('(');
        for (Class<?> c = v.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                boolean cache = CACHES.contains(field.getName())
                    && c.getName().startsWith("java.");
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
        if (!holder.getClass().getName().startsWith("java.")) {
            try {
                field.setAccessible(true);
                return field.get(holder);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        // The JDK's own packages are closed to reflection.
        Unsafe unsafe = Unsafe.getUnsafe();
        long offset = unsafe.objectFieldOffset(field);
        if (!field.getType().isPrimitive()) {
            return unsafe.getReference(holder, offset);
        }
        boolean wide = field.getType() == long.class || field.getType() == double.class;
        return wide ? unsafe.getLong(holder, offset) : field.getType() == int.class
            ? (Object) unsafe.getInt(holder, offset) : unsafe.getByte(holder, offset);
    }
}
