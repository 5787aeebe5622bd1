package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Input;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.format.Text;
import harrier.runtime.origin.Origin;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The plans of all classes, by class and by name. Safe for use by several threads. */
public final class Plans {
    private static final int NAMES = 1024;

    public final Constants constants;
    /** How collections without order were sorted, by how many elements they have. Threads may overwrite each other's. */
    final Unordered.Sorting[] sortings = new Unordered.Sorting[64];
    final Text text = new Text();
    private final ClassLoader users;
    private final Choice choice;
    private final ClassValue<Plan> plans = new ClassValue<>() {
        @Override
        protected Plan computeValue(Class<?> type) {
            return choice.of(type, Plans.this);
        }
    };
    /** The values that a class of the JDK keeps in static final fields, such as {@code Duration.ZERO}, by their bytes. */
    private final ClassValue<Map<Merging.Key, Object>> ofJdk = new ClassValue<>() {
        @Override
        protected Map<Merging.Key, Object> computeValue(Class<?> type) {
            Map<Merging.Key, Object> values = new HashMap<>();
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers()) && field.getType() == type) {
                    Object value = Raw.get(field);
                    byte[] bytes = value == null ? null : bytes(value);
                    if (bytes != null) {
                        values.put(new Merging.Key(bytes), value);
                    }
                }
            }
            return values;
        }
    };
    /** Recently met names of classes by a hash of their bytes. Threads may overwrite each other's. */
    private final Name[] names = new Name[NAMES];
    private final Map<String, Class<?>> classes = new ConcurrentHashMap<>();

    public Plans(ClassLoader users, Choice choice, Constants constants) {
        this.users = users;
        this.choice = choice;
        this.constants = constants;
        for (Class<?> primitive : List.of(void.class, boolean.class, byte.class, short.class, int.class, long.class,
                char.class, float.class, double.class)) {
            classes.put(primitive.getName(), primitive);
        }
    }

    /** Chooses how the values of a class are written and read. */
    public interface Choice {
        /** The plan of a class. It is asked once for each class. */
        Plan of(Class<?> type, Plans plans);

        /** The hidden class that was given a name; null if there is none. */
        Class<?> hidden(String name);
    }

    public Plan of(Class<?> type) {
        return plans.get(type);
    }

    /** The values that a class keeps in static final fields, by their bytes, if it is the JDK's. */
    Map<Merging.Key, Object> constantsOfJdk(Class<?> type) {
        return Origin.isJdks(type) ? ofJdk.get(type) : Map.of();
    }

    /** The bytes of a value; null if there are none, or something in it has an identity. */
    byte[] bytes(Object value) {
        try {
            return new Encoder(this, Tag.DEEPEST).encodeValue(value);
        } catch (NotCapturableException | StackOverflowError e) {
            return null;
        }
    }

    /** The bytes of all that a value holds; null if there are none. */
    public byte[] content(Object value) {
        try {
            return new Encoder(this, Tag.DEEPEST).encodeContent(value);
        } catch (NotCapturableException | StackOverflowError e) {
            return null;
        }
    }

    /** The plan of the class with the given name, if the name was met lately. */
    Plan named(byte[] bytes, int start, int end) {
        Name name = names[place(bytes, start, end)];
        return name != null && Arrays.equals(name.bytes, 0, name.bytes.length, bytes, start, end) ? name.plan : null;
    }

    /** The plan of the class with the given name, which {@link #named} finds from now on. */
    Plan learn(String className, byte[] bytes, int start, int end, Input in) {
        Plan plan = of(resolve(className, in));
        names[place(bytes, start, end)] = new Name(Arrays.copyOfRange(bytes, start, end), plan);
        return plan;
    }

    /** The plan of the arrays with this type of component. */
    Plan arrayOf(String component, Input in) {
        return of(resolve(component, in).arrayType());
    }

    /** The class with this name. */
    Class<?> resolve(String name, Input in) {
        try {
            return resolve(name);
        } catch (ClassNotFoundException | LinkageError e) {
            throw in.bad("no class " + name);
        }
    }

    /** The class with this name. */
    public Class<?> resolve(String name) throws ClassNotFoundException {
        Class<?> known = classes.get(name);
        if (known == null) {
            known = choice.hidden(name);
        }
        if (known == null) {
            known = Class.forName(name, false, users);
            classes.put(name, known);
        }
        return known;
    }

    /** Names end differently more often than they begin differently. */
    private static int place(byte[] bytes, int start, int end) {
        int h = end - start;
        for (int i = Math.max(start, end - 12); i < end; i++) {
            h = h * 31 + bytes[i];
        }
        return (h ^ h >>> 10) & NAMES - 1;
    }

    /** The bytes of a class's name, and its plan. */
    private record Name(byte[] bytes, Plan plan) {}

    /** The class loader that finds the program's classes. */
    public ClassLoader users() {
        return users;
    }

    /** Reports whether the program finds a class by its name. */
    public boolean finds(Class<?> type) {
        try {
            return resolve(type.getName()) == type;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
