package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.PartsPlan;
import harrier.runtime.codec.graph.Plan;
import harrier.runtime.origin.Loggers;
import harrier.runtime.origin.Origin;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/**
 * Loggers, by name: they stand for a place to write to, and whoever asks for one by the same name gets it again. They
 * are written as what loggers are known as, whatever class is behind it.
 */
public final class LoggerPlan extends Plan {
    /** How a kind of loggers is made. */
    private enum Kind {
        JUL("java.util.logging.Logger", "java.util.logging.Logger", "getLogger"),
        SYSTEM("java.lang.System$Logger", "java.lang.System", "getLogger"),
        SLF4J("org.slf4j.Logger", "org.slf4j.LoggerFactory", "getLogger"),
        LOG4J("org.apache.logging.log4j.Logger", "org.apache.logging.log4j.LogManager", "getLogger"),
        JBOSS("org.jboss.logging.Logger", "org.jboss.logging.Logger", "getLogger");

        final String type;
        final String factory;
        final String method;

        Kind(String type, String factory, String method) {
            this.type = type;
            this.factory = factory;
            this.method = method;
        }
    }

    private final Method factory;
    private final Method getName;
    private final Plan byName;
    /** How objects are written that the factory does not give; null if there are none. */
    private final Plan otherwise;

    private LoggerPlan(Class<?> type, Kind kind, Class<?> known, Plan otherwise) throws ReflectiveOperationException {
        super(type);
        factory = Class.forName(kind.factory, false, known.getClassLoader()).getMethod(kind.method, String.class);
        getName = known.getMethod("getName");
        this.otherwise = otherwise;
        byName = byName(type, kind.type);
    }

    /** The plan of a class of loggers; null if it is none. */
    public static Plan of(Class<?> type, Plan otherwise) {
        for (Kind kind : Kind.values()) {
            Class<?> known = supertype(type, kind.type);
            if (known != null) {
                try {
                    return new LoggerPlan(type, kind, known, otherwise);
                } catch (ReflectiveOperationException | LinkageError e) {
                    return null; // it only has the name of a logger
                }
            }
        }
        return null;
    }

    /** Reports whether of objects of a class only the name is written, as they are loggers. */
    public static boolean areNamed(Class<?> type) {
        return (Loggers.has(type.getName()) || Origin.isJdks(type)) && isOne(type);
    }

    /** Reports whether objects of a class are loggers of a kind that can be made by name. */
    private static boolean isOne(Class<?> type) {
        return Arrays.stream(Kind.values()).anyMatch(kind -> supertype(type, kind.type) != null);
    }

    private static Class<?> supertype(Class<?> type, String name) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(name)) {
                return c;
            }
            for (Class<?> i : c.getInterfaces()) {
                Class<?> found = supertype(i, name);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private <T> Plan byName(Class<T> type, String kind) {
        return new PartsPlan<>(type, kind, Tag.RECORD, List.of("name"), logger -> new Object[] {call(getName, logger)},
            name -> type.cast(call(factory, null, name)));
    }

    @Override
    public void write(Encoder e, Object value) {
        boolean isOther = otherwise != null && call(factory, null, call(getName, value)) != value;
        (isOther ? otherwise : byName).write(e, value);
    }

    @Override
    public Object read(Decoder d, int tag) {
        return (tag != Tag.RECORD && otherwise != null ? otherwise : byName).read(d, tag);
    }

    private static Object call(Method method, Object on, Object... arguments) {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException | IllegalAccessException e) {
            if (e.getCause() instanceof Error refused) {
                throw refused;
            }
            throw new IllegalStateException("no logger: " + e.getCause(), e);
        }
    }

    @Override
    protected boolean canChange() {
        return false;
    }
}
