package harrier.runtime.rules;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import jdk.internal.misc.Unsafe;

/**
 * What all objects that a value reaches held at one moment, field by field. Putting it back changes the objects in
 * place, so whoever refers to one of them sees what it was, and none of them becomes another object.
 */
final class HeapCopy {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final ClassValue<List<Place>> PLACES = new ClassValue<>() {
        @Override
        protected List<Place> computeValue(Class<?> type) {
            List<Place> places = new ArrayList<>();
            for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                for (Field field : c.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        places.add(new Place(field.getType(), UNSAFE.objectFieldOffset(field)));
                    }
                }
            }
            return places;
        }
    };

    private final Map<Object, Object[]> contents = new IdentityHashMap<>();

    /** Where a field is in an object. */
    private record Place(Class<?> type, long offset) {}

    /** Copies what a value reaches, which the codec can capture: so it is plain data. */
    HeapCopy(Object value) {
        Deque<Object> open = new ArrayDeque<>(List.of(value));
        while (!open.isEmpty()) {
            Object object = open.pop();
            if (!isFixed(object) && !contents.containsKey(object)) {
                Object[] content = content(object);
                contents.put(object, content);
                for (Object o : content) {
                    if (o != null) {
                        open.push(o);
                    }
                }
            }
        }
    }

    private HeapCopy(HeapCopy other) {
        other.contents.keySet().forEach(object -> contents.put(object, content(object)));
    }

    /** Copies what the same objects hold by now. */
    HeapCopy again() {
        return new HeapCopy(this);
    }

    /** What has no content that could change, or stands for something beyond the heap. */
    private static boolean isFixed(Object object) {
        return object instanceof String || object instanceof Number && object.getClass().getPackageName().equals("java.lang")
            || object instanceof Boolean || object instanceof Character || object instanceof Enum
            || object instanceof Class || object instanceof ClassLoader || object instanceof Thread
            || object.getClass().isHidden();
    }

    private static Object[] content(Object object) {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            Object[] content = new Object[Array.getLength(object)];
            for (int i = 0; i < content.length; i++) {
                content[i] = Array.get(object, i);
            }
            return content;
        }
        return PLACES.get(type).stream().map(p -> Memory.get(p.type, object, p.offset)).toArray();
    }

    /** Makes every object hold again what it held. */
    void putBack() {
        contents.forEach((object, content) -> {
            Class<?> type = object.getClass();
            List<Place> places = type.isArray() ? null : PLACES.get(type);
            for (int i = 0; i < content.length; i++) {
                if (type.isArray()) {
                    Array.set(object, i, content[i]);
                } else {
                    Memory.put(places.get(i).type, object, places.get(i).offset, content[i]);
                }
            }
        });
    }
}
