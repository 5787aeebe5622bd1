package harrier.runtime.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The stateless objects in static final fields of the program's classes. All that tells them apart is
 * which object they are, so they are written by name and come back as themselves.
 */
final class Constants {
    private final Supplier<? extends Collection<Class<?>>> classes;
    /** The fields of a class that may hold such objects. */
    private final Map<Class<?>, List<Field>> fields = new ConcurrentHashMap<>();
    /** Objects that were found keep the name by which they were. */
    private final List<Constant> found = new CopyOnWriteArrayList<>();

    Constants(Supplier<? extends Collection<Class<?>>> classes) {
        this.classes = classes;
    }

    /** The encoded names of the class and of the field that holds {@code value}; null if there is none. */
    byte[] find(Object value) {
        for (Constant constant : found) {
            if (constant.value == value) {
                return constant.names;
            }
        }
        for (Class<?> c : classes.get()) {
            for (Field field : fields(c)) {
                if (get(field) == value) {
                    return learn(value, field);
                }
            }
        }
        return null;
    }

    private synchronized byte[] learn(Object value, Field field) {
        for (Constant constant : found) {
            if (constant.value == value) {
                return constant.names; // of another field, found by another thread
            }
        }
        Output names = new Output();
        names.string(field.getDeclaringClass().getName());
        names.string(field.getName());
        found.add(new Constant(value, names.toBytes()));
        return found.get(found.size() - 1).names;
    }

    /** The object in a field; null if there is none. */
    Object get(Class<?> type, String name) {
        for (Field field : fields(type)) {
            if (field.getName().equals(name)) {
                return get(field);
            }
        }
        return null;
    }

    private List<Field> fields(Class<?> type) {
        return fields.computeIfAbsent(type, t -> {
            List<Field> list = new ArrayList<>();
            if (Enum.class.isAssignableFrom(t) && !t.isEnum()) {
                return list; // the body of a constant, which is not found by its name
            }
            try {
                for (Field field : t.getDeclaredFields()) {
                    int modifiers = field.getModifiers();
                    if (Modifier.isStatic(modifiers) && Modifier.isFinal(modifiers)
                            && !field.getType().isPrimitive() && !field.isEnumConstant()) {
                        list.add(field);
                    }
                }
            } catch (LinkageError e) {
                list.clear(); // a class that lacks others is never initialized
            }
            return list;
        });
    }

    /** Null as long as the class is not initialized. */
    static Object get(Field field) {
        return Slot.UNSAFE.getReference(Slot.UNSAFE.staticFieldBase(field), Slot.UNSAFE.staticFieldOffset(field));
    }

    private record Constant(Object value, byte[] names) {}
}
