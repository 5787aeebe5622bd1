package harrier.runtime.jdk;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Makes the table of the JDK's methods, {@code methods.txt}, from their bytecode: {@code make jdk-effects}. The classes, and what
 * bytecode does not show, are in {@code methods-given.txt}.
 *
 * <p>A round takes of calls what the table says by now, and each method for each class that may stand behind its own. The first
 * table says that nothing is written and nothing compared; the table is made when a round changes nothing more.
 */
final class JdkTable {
    private static final int WIDTH = 118;
    /** Methods that make a copy, to which they write before anybody else has it: the flow does not tell it from what they get. */
    private static final Set<String> MAKING = Set.of("clone", "copyOf", "copyOfRange");

    private final Path modules;
    private final Map<String, Map<String, String>> given = JdkMethods.read("methods-given.txt");

    /** For the classes of a JDK. */
    JdkTable(Path modules) {
        this.modules = modules;
    }

    /** Writes the table, of the JDK that runs, into the file that has one. */
    public static void main(String[] args) throws IOException {
        JdkTable maker = new JdkTable(ofThisJava());
        Map<String, Map<String, String>> table = maker.given;
        for (Map<String, Map<String, String>> next = maker.next(table, true); !next.equals(table); next = maker.next(table, false)) {
            table = next;
        }
        Path file = Path.of(args[0]);
        List<String> head = Files.readAllLines(file).stream().takeWhile(l -> l.startsWith("#")).toList();
        Files.writeString(file, String.join("\n", head) + "\n" + text(table));
    }

    static Path ofThisJava() {
        return FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    }

    /** The table that follows from one. */
    Map<String, Map<String, String>> next(Map<String, Map<String, String>> table, boolean isFirst) throws IOException {
        JdkBytecode code = new JdkBytecode(modules, new JdkMethods(table));
        Map<String, Map<String, String>> next = new TreeMap<>();
        given.forEach((type, methods) -> next.put(type, new TreeMap<>(methods)));
        List<ClassNode> types = new ArrayList<>();
        given.forEach((type, methods) -> {
            if (type.startsWith("java/util/") && !type.startsWith("java/util/stream/")) {
                types.add(code.node(type));
            }
        });
        types.sort((a, b) -> depth(code, a.name) - depth(code, b.name)); // those that others inherit from first
        for (ClassNode type : types) {
            methods(code, type).forEach((key, m) -> {
                String flags = next.get(type.name).containsKey(key) ? null : flags(code, type, m, key, isFirst);
                String above = isOwn(m) ? null : inherited(code, next, type, key);
                if (!next.get(type.name).containsKey(key) && !Objects.equals(flags, above)) {
                    next.get(type.name).put(key, flags == null ? "Wfo" : flags);
                }
            });
        }
        next.values().removeIf(Map::isEmpty);
        return next;
    }

    /** The methods that a class declares for others, and those of objects that it inherits. */
    private static Map<String, MethodNode> methods(JdkBytecode code, ClassNode type) {
        Map<String, MethodNode> all = new TreeMap<>();
        Deque<ClassNode> work = new ArrayDeque<>(List.of(type));
        while (!work.isEmpty()) {
            ClassNode c = work.poll();
            for (MethodNode m : c == null ? List.<MethodNode>of() : c.methods) {
                boolean isSeen = (m.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0
                    && (m.access & Opcodes.ACC_SYNTHETIC) == 0 && !m.name.equals("<clinit>");
                if (isSeen && (c == type || !isOwn(m) && !c.name.equals("java/lang/Object"))) {
                    all.putIfAbsent(JdkBytecode.key(m.name, m.desc), m);
                }
            }
            if (c != null) {
                above(c).forEach(a -> work.add(code.node(a)));
            }
        }
        return all;
    }

    private static boolean isOwn(MethodNode m) {
        return m.name.equals("<init>") || (m.access & Opcodes.ACC_STATIC) != 0;
    }

    private static int depth(JdkBytecode code, String type) {
        ClassNode node = type == null ? null : code.node(type);
        int depth = node == null ? 0 : depth(code, node.superName);
        for (String i : node == null ? List.<String>of() : node.interfaces) {
            depth = Math.max(depth, depth(code, i));
        }
        return depth + 1;
    }

    /** What the nearest supertype's line says, as {@link JdkMethods} looks it up. */
    private static String inherited(JdkBytecode code, Map<String, Map<String, String>> table, ClassNode type, String key) {
        Deque<String> work = new ArrayDeque<>(above(type));
        while (!work.isEmpty()) {
            String c = work.poll();
            String found = table.getOrDefault(c, Map.of()).get(key);
            if (found != null) {
                return found;
            }
            if (code.node(c) != null) {
                work.addAll(above(code.node(c)));
            }
        }
        return table.get("java/lang/Object").get(key);
    }

    private static Collection<String> above(ClassNode type) {
        List<String> all = new ArrayList<>();
        if (type.superName != null && (type.access & Opcodes.ACC_INTERFACE) == 0) {
            all.add(type.superName);
        }
        all.addAll(type.interfaces);
        return all;
    }

    /** The flags of a method; null if it may do anything. */
    private String flags(JdkBytecode code, ClassNode type, MethodNode m, String key, boolean isFirst) {
        boolean isStatic = (m.access & Opcodes.ACC_STATIC) != 0;
        JdkBytecode.Writes does = JdkBytecode.NOTHING;
        List<String> behind = isStatic || m.name.equals("<init>") ? List.of(type.name) : code.behind(type.name);
        for (String c : isFirst ? List.<String>of() : behind) {
            MethodNode run = isStatic || m.name.equals("<init>") ? m : code.method(c, key);
            does = run == null ? does : does.and(code.writes(c, run));
        }
        String further = (does.parameters() & functions(m, isStatic)) == 0 ? "" : "f";
        further += does.compares().isEmpty() ? "" : "o";
        if (MAKING.contains(m.name) || key.equals("toArray()")) {
            return "c" + further;
        }
        if (does.parameters() < 0) {
            return null;
        }
        long written = does.parameters() & ~functions(m, isStatic);
        if (m.name.equals("<init>")) {
            return (written & arrays(m)) != 0 ? null : "w" + (takesCollection(m) ? "e" : "") + further;
        }
        boolean isWider = isStatic ? written != 0 : (written & arrays(m)) != 0 || (written & 1) == 0 && written != 0;
        if (written != 0) {
            return (isWider ? "W" : takesCollection(m) ? "we" : "w") + further;
        }
        boolean isFunction = ExternalEffect.isFunction(type.name) && !key.endsWith("()");
        return kind(m, isFunction || (does.gives() & ~(isStatic ? 0 : 1)) != 0) + further;
    }

    /** What a method gives that writes nothing, perhaps one of its arguments. */
    private static String kind(MethodNode m, boolean givesArgument) {
        Type result = Type.getReturnType(m.desc);
        String name = result.getSort() == Type.OBJECT ? result.getInternalName() : "";
        if (result.getSort() < Type.ARRAY || JdkValues.is(name)) {
            return "t";
        }
        if (ExternalEffect.isFunction(name) || name.equals("java/util/Comparator")) {
            return m.name.equals("comparator") ? "g" : "h";
        }
        if (name.equals("java/lang/Object") || name.equals("java/lang/Enum") || name.equals("java/lang/Comparable")) {
            return givesArgument ? "ga" : "g";
        }
        boolean isView = (m.access & Opcodes.ACC_STATIC) == 0;
        for (Type t : Type.getArgumentTypes(m.desc)) {
            isView |= isCollection(t) || t.getSort() == Type.OBJECT && t.getInternalName().startsWith("java/util/Optional");
        }
        return isView ? "v" : "h";
    }

    private static boolean takesCollection(MethodNode m) {
        for (Type t : Type.getArgumentTypes(m.desc)) {
            if (isCollection(t)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCollection(Type t) {
        Class<?> type = t.getSort() == Type.OBJECT ? JdkMethods.load(t.getInternalName()) : null;
        return type != null && (Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
            || Map.Entry.class.isAssignableFrom(type)) || t.getSort() == Type.ARRAY && t.getElementType().getSort() == Type.OBJECT;
    }

    /** The parameters that are arrays: of a method that changes its object, the others become part of it, and are not told from it. */
    private static long arrays(MethodNode m) {
        Type[] types = Type.getArgumentTypes(m.desc);
        long found = 0;
        for (int i = 0; i < types.length; i++) {
            found |= types[i].getSort() == Type.ARRAY ? 2L << i : 0;
        }
        return found;
    }

    /** The parameters that are functions. CodeEffects counts what these change, and what changes of what they give. */
    private static long functions(MethodNode m, boolean isStatic) {
        Type[] types = Type.getArgumentTypes(m.desc);
        long found = 0;
        for (int i = 0; i < types.length; i++) {
            boolean isFunction = types[i].getSort() == Type.OBJECT && ExternalEffect.isFunction(types[i].getInternalName());
            found |= isFunction ? (isStatic ? 1L : 2L) << i : 0;
        }
        return found;
    }

    /** As the table is written. */
    static String text(Map<String, Map<String, String>> table) {
        StringBuilder all = new StringBuilder();
        table.forEach((type, methods) -> {
            all.append(type).append('\n');
            Map<String, List<String>> byFlags = new TreeMap<>();
            methods.forEach((key, flags) -> byFlags.computeIfAbsent(flags, f -> new ArrayList<>()).add(key));
            byFlags.forEach((flags, keys) -> {
                StringBuilder line = new StringBuilder();
                for (String key : keys) {
                    if (line.length() > 0 && line.length() + key.length() >= WIDTH) {
                        all.append(line).append('\n');
                        line.setLength(0);
                    }
                    line.append(line.length() == 0 ? "  " + flags : "").append(' ').append(key);
                }
                all.append(line).append('\n');
            });
        });
        return all.toString();
    }
}
