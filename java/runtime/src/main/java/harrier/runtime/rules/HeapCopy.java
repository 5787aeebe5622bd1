package harrier.runtime.rules;

import harrier.Actor;
import harrier.host.ThreadHooks;
import java.io.FileDescriptor;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
                    if (!Modifier.isStatic(field.getModifiers()) && !isCache(c, field.getName())) {
                        places.add(new Place(field.getType(), UNSAFE.objectFieldOffset(field)));
                    }
                }
            }
            return places;
        }
    };

    /** Fields of classes of the JDK that are filled when somebody looks. */
    private static final Set<String> CACHES = Set.of("keySet", "values", "entrySet", "descendingMap", "navigableKeySet",
        "toStringCache", "hash", "hashCode", "cachedHoldCounter", "firstReader", "firstReaderHoldCount");

    private boolean reachesActor;
    private final List<Content> contents = new ArrayList<>();

    /** What an object held. */
    private record Content(Object object, Object[] values) {
        static Content of(Object object) {
            return new Content(object, content(object));
        }
    }

    /** Where a field is in an object. */
    private record Place(Class<?> type, long offset) {}

    /** Copies what a value reaches. What stands for something beyond the heap is not looked into. */
    HeapCopy(Object value) {
        Deque<Object> open = new ArrayDeque<>(List.of(value));
        Set<Object> met = Collections.newSetFromMap(new IdentityHashMap<>());
        while (!open.isEmpty()) {
            Object object = open.pop();
            reachesActor |= object instanceof Actor;
            if (!isFixed(object) && met.add(object)) {
                Content content = Content.of(object);
                contents.add(content);
                for (Object o : content.values) {
                    if (o != null) {
                        open.push(o);
                    }
                }
            }
        }
    }

    private HeapCopy(HeapCopy other) {
        other.contents.forEach(c -> contents.add(Content.of(c.object)));
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
            || object.getClass().isHidden() || isInert(object);
    }

    /** What is looked after elsewhere, or of no matter: executors, loggers, harrier's and the virtual machine's own. */
    private static boolean isInert(Object object) {
        Class<?> type = object.getClass();
        String pack = type.getPackageName();
        return ThreadHooks.isOfTheJdk(object) || object instanceof Actor || object instanceof ThreadLocal
            || object instanceof ThreadGroup || object instanceof ReferenceQueue || object instanceof FileDescriptor
            || object == System.out || object == System.err || type.getClassLoader() == Actor.class.getClassLoader()
            || pack.startsWith("java.util.logging") || pack.startsWith("java.lang.invoke")
            || pack.startsWith("java.lang.reflect") || pack.startsWith("sun.") || pack.startsWith("jdk.") || isLogger(type);
    }

    private static boolean isLogger(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (Arrays.stream(c.getInterfaces()).anyMatch(i -> i.getSimpleName().equals("Logger"))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCache(Class<?> type, String field) {
        return type == Reference.class || type.getClassLoader() == null && CACHES.contains(field);
    }

    /** Whether there is an actor among the objects. */
    boolean reachesActor() {
        return reachesActor;
    }

    /** Whether an object holds something else than was copied. */
    boolean isChanged() {
        return contents.stream().anyMatch(c -> !isSame(c.object.getClass(), content(c.object), c.values));
    }

    private static boolean isSame(Class<?> type, Object[] now, Object[] before) {
        List<Place> places = type.isArray() ? null : PLACES.get(type);
        for (int i = 0; i < before.length; i++) {
            Class<?> of = type.isArray() ? type.getComponentType() : places.get(i).type;
            if (of.isPrimitive() ? !now[i].equals(before[i]) : now[i] != before[i]) {
                return false;
            }
        }
        return true;
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
        for (Content content : contents) {
            Object object = content.object;
            Class<?> type = object.getClass();
            List<Place> places = type.isArray() ? null : PLACES.get(type);
            for (int i = 0; i < content.values.length; i++) {
                if (type.isArray()) {
                    Array.set(object, i, content.values[i]);
                } else {
                    Memory.put(places.get(i).type, object, places.get(i).offset, content.values[i]);
                }
            }
        }
    }
}
