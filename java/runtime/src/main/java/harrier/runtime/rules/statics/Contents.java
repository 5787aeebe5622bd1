package harrier.runtime.rules.statics;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.origin.Loggers;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.internal.misc.Unsafe;

/** What the static fields of classes hold, as far as answers may depend on it. */
final class Contents {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private final Codec codec;
    /** The names of the program's own classes. */
    private final Set<String> program;

    Contents(Codec codec, Set<String> program) {
        this.codec = codec;
        this.program = program;
    }

    /** What the static fields of a class hold, and those of its enum constants, encoded; null if that cannot be captured. */
    byte[] of(Class<?> type) {
        try {
            return codec.encodeContent(contents(type));
        } catch (NotCapturableException e) {
            return null;
        }
    }

    /** Which objects static fields of some classes lead to on several ways: {@link Codec#shared}. */
    List<List<String>> shared(Collection<Class<?>> types) {
        Map<String, List<Object>> contents = new TreeMap<>();
        types.forEach(type -> contents.put(type.getName(), contents(type)));
        return codec.shared(contents);
    }

    private List<Object> contents(Class<?> type) {
        List<Object> all = new ArrayList<>();
        if (!UNSAFE.shouldBeInitialized(type) && (!Loggers.has(type.getName()) || program.contains(type.getName()))) {
            for (Field field : Cells.fields(type)) {
                if (Modifier.isStatic(field.getModifiers())) {
                    Object value = Cell.of(type, field).get();
                    all.add(value);
                    if (field.isEnumConstant() && value != null) {
                        all.addAll(constant(value));
                    }
                }
            }
        }
        return all;
    }

    /** What the fields of an enum constant hold. */
    private static List<Object> constant(Object constant) {
        List<Object> values = new ArrayList<>();
        for (Class<?> c = constant.getClass(); c != Enum.class; c = c.getSuperclass()) {
            for (Field field : Cells.fields(c)) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    values.add(Cell.of(c, constant, field).get());
                }
            }
        }
        return values;
    }
}
