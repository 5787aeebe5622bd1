package harrier.runtime.jdk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.objectweb.asm.Type;

/**
 * What methods outside of the program do to the objects that they are given, by class, name and parameters: those in the
 * table {@code methods.txt}, which is made from the JDK's bytecode. All others may do anything.
 */
public final class JdkMethods {
    /** What a method does to its objects. */
    public enum Deed {
        /** Nothing; it tells of them. */
        TELLS,
        /** It returns their content. */
        GIVES,
        /** It gives an object through which they may be changed. */
        VIEWS,
        /** It makes an object with their content. */
        COPIES,
        /** It makes an object that holds them. */
        HOLDS,
        /** It may change them, and keep one in another. */
        CHANGES
    }

    /**
     * A method.
     *
     * @param changesItself of one that changes objects: it changes only the one that it is called on
     * @param givesArgument its result may be one of its arguments
     * @param keepsElements it keeps the content of its arguments, not these
     * @param changesResults it may change the results of functions, and keep its objects in these
     */
    public record Method(Deed does, boolean changesItself, boolean givesArgument, boolean keepsElements, boolean changesResults,
            ExternalEffect sees) {
        /** Reports whether nothing is known of it. */
        public boolean isUnknown() {
            return sees.compareTo(ExternalEffect.FUNCTIONS) >= 0;
        }
    }

    private static final Method UNKNOWN = new Method(Deed.CHANGES, false, true, false, true, ExternalEffect.FUNCTIONS);
    private static final Method LOOKING = new Method(Deed.CHANGES, false, true, false, true, ExternalEffect.ALL);
    private static final Method HARMLESS = new Method(Deed.TELLS, false, true, false, false, ExternalEffect.NOTHING);
    /** The methods of classes that look into no object. */
    private static final Set<String> NAMING = Set.of("getName", "getSimpleName", "getTypeName", "getPackageName", "isInstance",
        "isAssignableFrom", "cast", "desiredAssertionStatus", "isArray", "isEnum", "isInterface", "isRecord", "getComponentType");
    private static final String KINDS = "tgvchwW";
    private static final JdkMethods TABLE = new JdkMethods(read("methods.txt"));

    /** Flags of methods, by class and then by name and parameters. */
    private final Map<String, Map<String, String>> flags;
    private final Map<String, Method> known = new HashMap<>();

    /** A table of its own, for those who make it. */
    JdkMethods(Map<String, Map<String, String>> flags) {
        this.flags = flags;
    }

    /** The flags of methods, by class and then by name and parameters, in a table. */
    static Map<String, Map<String, String>> read(String table) {
        Map<String, Map<String, String>> flags = new TreeMap<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(JdkMethods.class.getResourceAsStream(table)), StandardCharsets.US_ASCII))) {
            Map<String, String> type = null;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.trim().split(" ");
                if (line.startsWith(" ")) {
                    for (int i = 1; i < words.length; i++) {
                        type.put(words[i], words[0]);
                    }
                } else if (!line.startsWith("#")) {
                    type = flags.computeIfAbsent(line, t -> new TreeMap<>());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return flags;
    }

    /** What a method of a class outside of the program does; on values alone none does anything. */
    public static Method of(String owner, String name, String descriptor) {
        return TABLE.method(owner, name, descriptor);
    }

    synchronized Method method(String owner, String name, String descriptor) {
        if (owner.equals("harrier/Actor") || owner.equals("harrier/Scenario")) {
            return HARMLESS; // known by name where it matters
        }
        String key = name + descriptor.substring(0, descriptor.indexOf(')') + 1);
        return known.computeIfAbsent(owner + " " + key, k -> find(owner, key, descriptor));
    }

    private Method find(String owner, String key, String descriptor) {
        String type = owner.startsWith("[") ? "java/lang/Object" : owner;
        Method own = inTable(type, key);
        if (own != null) {
            return own;
        }
        if (owner.startsWith("java/lang/reflect/") || owner.startsWith("java/lang/invoke/")
                || owner.startsWith("java/io/Object") || owner.endsWith("FieldUpdater")) {
            return LOOKING;
        }
        if (owner.equals("java/lang/Class")) {
            return NAMING.contains(key.substring(0, key.indexOf('('))) ? HARMLESS : LOOKING;
        }
        if (isOfValues(owner) && takesValues(descriptor)) {
            return HARMLESS;
        }
        Class<?> loaded = load(type);
        Method inherited = loaded == null ? null : inherited(loaded, key);
        return inherited == null ? UNKNOWN : inherited;
    }

    /** Reports whether nothing is known of any method of a class or an interface but of those that all objects have. */
    public static boolean isUnknown(String type) {
        Class<?> loaded = load(type);
        return !TABLE.flags.containsKey(type) && (loaded == null || Stream.concat(Stream.ofNullable(loaded.getSuperclass()),
            Stream.of(loaded.getInterfaces())).allMatch(c -> c == Object.class || isUnknown(c.getName().replace('.', '/'))));
    }

    private static boolean isOfValues(String owner) {
        return JdkValues.is(owner) || owner.equals("java/lang/Math") || owner.equals("java/lang/StrictMath");
    }

    private static boolean takesValues(String descriptor) {
        for (Type t : Type.getArgumentTypes(descriptor)) {
            if (t.getSort() == Type.ARRAY || t.getSort() == Type.OBJECT && !JdkValues.is(t.getInternalName())) {
                return false;
            }
        }
        return true;
    }

    /** A class outside; null if there is none of the name. */
    public static Class<?> load(String name) {
        try {
            return Class.forName(name.replace('/', '.'), false, JdkMethods.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** The nearest supertype's method. Constructors are inherited by exceptions alone, which just hand on what they get. */
    private Method inherited(Class<?> type, String key) {
        if (key.startsWith("<init>")) {
            return Throwable.class.isAssignableFrom(type) ? inTable("java/lang/Throwable", key) : null;
        }
        Deque<Class<?>> work = new ArrayDeque<>();
        work.add(type);
        while (!work.isEmpty()) {
            Class<?> c = work.poll();
            Method found = inTable(c.getName().replace('.', '/'), key);
            if (found != null) {
                return found;
            }
            if (c.getSuperclass() != null) {
                work.add(c.getSuperclass());
            }
            work.addAll(List.of(c.getInterfaces()));
        }
        return inTable("java/lang/Object", key); // of interfaces
    }

    private Method inTable(String type, String key) {
        String found = flags.getOrDefault(type, Map.of()).get(key);
        return found == null ? null : parse(found);
    }

    private static Method parse(String flags) {
        int kind = Math.min(KINDS.indexOf(flags.charAt(0)), Deed.CHANGES.ordinal());
        return new Method(Deed.values()[kind], flags.startsWith("w"), flags.contains("a"), flags.contains("e"),
            flags.contains("f"), flags.contains("o") ? ExternalEffect.OBJECTS : ExternalEffect.NOTHING);
    }
}
