package harrier.runtime.program;

import harrier.Show;
import harrier.host.ActorDatagramSocket;
import harrier.host.ActorServerSocket;
import harrier.host.ActorSocket;
import harrier.host.ActorThread;
import harrier.host.Arrival;
import harrier.host.Mailbox;
import harrier.host.Sockets;
import harrier.host.Worker;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.BareText;
import harrier.runtime.failure.UsageException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ClassFile;
import harrier.runtime.origin.Origin;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Running;
import harrier.runtime.rules.refuse.Refusal;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The objects that people are shown by texts of their own: those of a program by {@link Show} and {@code --show}, its records that
 * declare {@code toString}, and values of the JDK whose text has all of their content; and the objects that they are not shown.
 */
public final class Shown {
    private static final List<Class<?>> VALUES = List.of(UUID.class, BigInteger.class, BigDecimal.class, MathContext.class,
        TemporalAccessor.class, TemporalAmount.class, ZoneId.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class,
        Locale.class, Currency.class, Charset.class, ByteOrder.class, URI.class, Path.class, InetAddress.class,
        InetSocketAddress.class);

    private final ProgramLoader loader;
    private final Codec codec;
    private final Map<Class<?>, Method> methods = new LinkedHashMap<>();
    /** The classes whose objects are not shown, and packages with such classes. */
    private final List<String> hidden = new ArrayList<>();
    /** Whether objects of a class are shown by their {@code toString}. */
    private final Map<Class<?>, Boolean> byToString = new ConcurrentHashMap<>();

    /**
     * As a command line and a scenario say.
     *
     * @param flags each of the form {@code CLASS=METHOD}, or with nothing behind the sign for objects that are not shown
     */
    Shown(ProgramLoader loader, Codec codec, List<String> flags, Class<?> scenario) {
        this.loader = loader;
        this.codec = codec;
        for (String flag : flags) {
            add(flag.endsWith("=") ? "--hide " + flag.substring(0, flag.length() - 1) : "--show " + flag, flag);
        }
        for (Class<?> type = scenario; type != null; type = type.getSuperclass()) {
            Show marked = type.getDeclaredAnnotation(Show.class);
            for (String value : marked == null ? new String[0] : marked.value()) {
                add(type.getName() + ", @Show(\"" + value + "\")", value);
            }
        }
    }

    private void add(String where, String shown) {
        String[] parts = shown.split("=", 2);
        if (parts.length < 2) {
            throw new UsageException(where + ": write CLASS=METHOD, such as " + shown + "=toString");
        }
        String name = fullName(where, parts[0]);
        if (parts[1].isEmpty()) {
            requireKnown(where, name);
            hidden.add(name);
            return;
        }
        try {
            Class<?> type = loader.loadClass(name);
            Method method = type.getMethod(parts[1]);
            method.setAccessible(true);
            methods.putIfAbsent(type, method);
        } catch (ClassNotFoundException e) {
            throw new UsageException(where + ": there is no class " + parts[0]);
        } catch (NoSuchMethodException e) {
            throw new UsageException(where + ": the class has no public method " + parts[1] + "() without parameters");
        }
    }

    private void requireKnown(String where, String name) {
        boolean isKnown = loader.classes().bytes().keySet().stream().anyMatch(n -> isOf(n, name))
            || ModuleLayer.boot().modules().stream().anyMatch(m -> m.getPackages().contains(name))
            || loader.getResource(name.replace('.', '/') + ".class") != null;
        if (!isKnown) {
            throw new UsageException(where + ": there is no class or package " + name);
        }
    }

    /** Reports whether a class is the named one, or within it, or of the named package or one below. */
    private static boolean isOf(String type, String name) {
        return type.startsWith(name) && (type.length() == name.length() || ".$".indexOf(type.charAt(name.length())) >= 0);
    }

    /** The class of the program with a name, or with a simple one. */
    private String fullName(String where, String name) {
        Set<String> names = loader.classes().bytes().keySet();
        List<String> found = names.stream().filter(n -> n.endsWith("." + name) || n.endsWith("$" + name)).sorted().toList();
        if (names.contains(name) || found.isEmpty()) {
            return name;
        }
        if (found.size() > 1) {
            throw new UsageException(where + ": several classes are called " + name + ": name one of " + String.join(", ", found));
        }
        return found.get(0);
    }

    /**
     * The bytes of a message's content or a local state in which objects are the texts that they are shown by. Those that are not shown
     * are constants without a name.
     *
     * @param byTexts false to have only the latter replaced
     */
    public byte[] of(byte[] content, boolean byTexts) {
        if (!byTexts && hidden.isEmpty()) {
            return content;
        }
        loader.enter();
        try {
            return Running.during("--show", () -> codec.replace(content, value -> shown(value, byTexts)));
        } finally {
            Guard.takeRefusal(); // what it is about is not shown by its text
        }
    }

    private Object shown(Object value, boolean byTexts) {
        if (value == null) {
            return null;
        }
        try {
            for (Map.Entry<Class<?>, Method> m : methods.entrySet()) {
                if (m.getKey().isInstance(value)) {
                    return byTexts ? insteadOf(value, m.getValue()) : value;
                }
            }
            String type = value.getClass().getName();
            if (hidden.stream().anyMatch(name -> isOf(type, name))) {
                return new BareText(value.getClass(), "");
            }
            if (!byTexts) {
                return value;
            }
            if (value.getClass() == ActorThread.class || value.getClass() == Mailbox.class) {
                return new BareText(value.getClass(), ((ActorThread) value).description());
            } else if (value instanceof Worker) {
                return new BareText(value.getClass(), value.toString());
            }
            if (value instanceof Arrival || value instanceof Sockets || value instanceof ActorSocket || value instanceof ActorServerSocket
                    || value instanceof ActorDatagramSocket) {
                return new BareText(value.getClass(), value.toString());
            }
            if (Origin.isJdks(value.getClass()) && VALUES.stream().anyMatch(t -> t.isInstance(value))) {
                return new BareText(value.getClass(), value.toString());
            }
            return byToString.computeIfAbsent(value.getClass(), this::isByToString) ? value.toString() : value;
        } catch (ReflectiveOperationException | RuntimeException | Refusal | AssertionError | StackOverflowError e) {
            return value; // its fields are shown
        }
    }

    /** What is shown in place of an object: the text that a method gives, or the object, with what is shown of it. */
    private static Object insteadOf(Object value, Method method) throws ReflectiveOperationException {
        Object shown = method.invoke(value);
        return shown == null || method.getReturnType() == String.class || method.getReturnType().isPrimitive() ? String.valueOf(shown) : shown;
    }

    private boolean isByToString(Class<?> type) {
        return type.isAnnotationPresent(Show.class) || type.isRecord() && type.getClassLoader() == loader
            && ClassFile.declaresToString(loader.classes().find(type.getName()));
    }
}
