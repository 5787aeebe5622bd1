package harrier.runtime;

import harrier.Show;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.UsageException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Refusal;
import harrier.runtime.rules.Running;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The objects of a program that people are shown by texts of their own: {@link Show} and {@code --show}. */
public final class Shown {
    private final ProgramLoader loader;
    private final Codec codec;
    private final Map<Class<?>, Method> methods = new LinkedHashMap<>();

    /**
     * As a command line and a scenario say.
     *
     * @param flags each of the form {@code CLASS=METHOD}
     */
    Shown(ProgramLoader loader, Codec codec, List<String> flags, Class<?> scenario) {
        this.loader = loader;
        this.codec = codec;
        for (String flag : flags) {
            add("--show " + flag, flag);
        }
        Show marked = scenario.getAnnotation(Show.class);
        for (String value : marked == null ? new String[0] : marked.value()) {
            add(scenario.getName() + ", @Show(\"" + value + "\")", value);
        }
    }

    private void add(String where, String shown) {
        String[] parts = shown.split("=", 2);
        if (parts.length < 2) {
            throw new UsageException(where + ": write CLASS=METHOD, such as " + shown + "=toString");
        }
        try {
            Class<?> type = loader.loadClass(parts[0]);
            Method method = type.getMethod(parts[1]);
            method.setAccessible(true);
            methods.putIfAbsent(type, method);
        } catch (ClassNotFoundException e) {
            throw new UsageException(where + ": there is no class " + parts[0] + "; name it with its package, and $ before a nested one");
        } catch (NoSuchMethodException e) {
            throw new UsageException(where + ": the class has no public method " + parts[1] + "() without parameters");
        }
    }

    /** The bytes of a message's content or a local state in which objects are the texts that they are shown by. */
    byte[] of(byte[] content) {
        loader.enter();
        try {
            return Running.during("--show", () -> codec.replace(content, this::shown));
        } finally {
            Guard.takeRefusal(); // what it is about is not shown by its text
        }
    }

    private Object shown(Object value) {
        if (value == null) {
            return null;
        }
        try {
            for (Map.Entry<Class<?>, Method> m : methods.entrySet()) {
                if (m.getKey().isInstance(value)) {
                    return String.valueOf(m.getValue().invoke(value));
                }
            }
            return value.getClass().isAnnotationPresent(Show.class) ? value.toString() : value;
        } catch (ReflectiveOperationException | RuntimeException | Refusal | StackOverflowError e) {
            return value; // its fields are shown
        }
    }
}
