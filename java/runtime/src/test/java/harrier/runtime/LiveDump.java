package harrier.runtime;

import harrier.Actor;
import harrier.ActorName;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A text for an object that is equal for equal content. Knows what the examples use and no more, and
 * shares nothing with the codec, which it helps to judge.
 */
public final class LiveDump {
    private LiveDump() {}

    public static String of(Object value) {
        if (value == null || value instanceof Integer || value instanceof Boolean || value instanceof ActorName) {
            return String.valueOf(value);
        } else if (value instanceof String) {
            return '"' + value.toString() + '"';
        } else if (value instanceof Number || value instanceof Character) {
            return value.getClass().getSimpleName() + "(" + value + ")";
        } else if (value instanceof Enum<?> constant) {
            return constant.name();
        } else if (value instanceof Collection<?> collection) {
            return collection(collection);
        } else if (value instanceof Map<?, ?> map) {
            return map(map);
        } else if (value.getClass().getName().startsWith("java.") || value.getClass().isArray()) {
            throw new IllegalArgumentException("no text for " + value.getClass());
        }
        return value.getClass().getName() + fields(value);
    }

    private static String collection(Collection<?> collection) {
        List<String> texts = new ArrayList<>();
        collection.forEach(e -> texts.add(of(e)));
        boolean hasOrder = !(collection instanceof Set) || collection instanceof SortedSet
            || collection instanceof LinkedHashSet;
        if (!hasOrder) {
            texts.sort(null);
        }
        return texts.toString();
    }

    private static String map(Map<?, ?> map) {
        List<String> texts = new ArrayList<>();
        map.forEach((k, v) -> texts.add(of(k) + "->" + of(v)));
        if (!(map instanceof SortedMap)) {
            texts.sort(null);
        }
        return texts.toString();
    }

    private static String fields(Object value) {
        List<String> texts = new ArrayList<>();
        for (Class<?> c = value.getClass(); c != Object.class && c != Actor.class && c != Record.class;
                c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers())) {
                    texts.add(f.getName() + "=" + of(read(f, value)));
                }
            }
        }
        return "{" + String.join(", ", texts) + "}";
    }

    private static Object read(Field field, Object value) {
        try {
            field.setAccessible(true);
            return field.get(value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
