package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.FieldsPlan;
import harrier.runtime.codec.graph.PartsPlan;
import harrier.runtime.codec.graph.Plan;
import harrier.runtime.codec.graph.Slot;
import harrier.runtime.codec.graph.Slots;
import harrier.runtime.origin.Origin;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lambdas that the JDK makes, such as those of {@code Comparator.comparing}. Their classes have no names, so they
 * get some: that of the class that makes them, and of the method that they run, which their constant pools have. All
 * class loaders of a process share them, and bytes never leave a process, so whoever reads such a name finds it here.
 */
public final class JdkLambdas {
    private static final Map<String, Class<?>> BY_NAME = new HashMap<>();
    private static final Map<Class<?>, String> NAMES = new HashMap<>();
    /** The lambdas that capture nothing and were met. The JDK makes one of each. */
    private static final Map<Class<?>, Object> ONLY = new ConcurrentHashMap<>();

    private JdkLambdas() {}

    /** Reports whether a hidden class is that of a lambda of the JDK's. */
    public static boolean has(Class<?> type) {
        return Origin.isJdks(type) && type.getName().contains("$$Lambda");
    }

    /** The plan of the class of a lambda. */
    public static synchronized Plan plan(Class<?> type) {
        String name = NAMES.computeIfAbsent(type, JdkLambdas::name);
        BY_NAME.put(name, type);
        List<Slot> captured = Slots.shown(type);
        return captured.isEmpty() ? only(type, name) : new FieldsPlan(type, name, Tag.OBJECT, captured);
    }

    /** A lambda that captures nothing. It can only be read once it was written. */
    private static <T> Plan only(Class<T> type, String name) {
        return new PartsPlan<>(type, name, Tag.RECORD, List.of(), value -> {
            ONLY.putIfAbsent(type, value);
            return new Object[0];
        }, none -> type.cast(Objects.requireNonNull(ONLY.get(type))));
    }

    /** The class that was given a name; null if there is none. */
    public static synchronized Class<?> find(String name) {
        return BY_NAME.get(name);
    }

    private static String name(Class<?> type) {
        String host = type.getName().substring(0, type.getName().indexOf("$$Lambda"));
        String base = host + "$" + implementation(type).replace('$', '_');
        String name = base;
        for (int n = 2; BY_NAME.containsKey(name); n++) {
            name = base + "_" + n; // several interfaces may be implemented by the same method
        }
        return name;
    }

    /** The name of the method that a lambda runs; that of its interface if it is not known. */
    private static String implementation(Class<?> type) {
        String found = type.getInterfaces()[0].getSimpleName();
        try {
            Object pool = ConstantPool.GET.invoke(type);
            int size = (int) ConstantPool.SIZE.invoke(pool);
            for (int i = 1; i < size; i++) {
                String[] method = ConstantPool.method(pool, i);
                if (method != null && method[1].startsWith("lambda$")) {
                    return method[1];
                } else if (method != null && !method[1].startsWith("<")) {
                    found = method[1];
                }
            }
            return found;
        } catch (Throwable e) {
            return found;
        }
    }

    /** Access to the constant pools of classes, which the JDK keeps to itself. */
    private static final class ConstantPool {
        static final MethodHandle GET;
        static final MethodHandle SIZE;
        private static final MethodHandle METHOD;

        static {
            try {
                Class<?> pool = Class.forName("jdk.internal.reflect.ConstantPool");
                GET = Raw.LOOKUP.findVirtual(Class.class, "getConstantPool", MethodType.methodType(pool))
                    .asType(MethodType.methodType(Object.class, Class.class));
                SIZE = Raw.LOOKUP.findVirtual(pool, "getSize", MethodType.methodType(int.class))
                    .asType(MethodType.methodType(int.class, Object.class));
                METHOD = Raw.LOOKUP.findVirtual(pool, "getMemberRefInfoAt",
                    MethodType.methodType(String[].class, int.class))
                    .asType(MethodType.methodType(String[].class, Object.class, int.class));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private ConstantPool() {}

        /** The class, name and type of the method at a place; null if there is no method. */
        static String[] method(Object pool, int i) throws Throwable {
            try {
                String[] member = (String[]) METHOD.invoke(pool, i);
                return member[2].startsWith("(") ? member : null;
            } catch (IllegalArgumentException e) {
                return null; // something else than a member
            }
        }
    }
}
