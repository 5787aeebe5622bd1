package harrier.runtime.jdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * Which of their objects the JDK's methods may write to, by the bytecode. A call of a method that the table has is taken to do
 * what the table says: each line is checked itself, for every class that may stand behind it.
 */
final class JdkBytecode {
    /**
     * Packages whose classes may be an actor's state, or part of it. What the concurrent collections do to their nodes where they are
     * read, for the sake of other threads, does not show in what they hold.
     */
    private static final List<String> PACKAGES = List.of("java/util", "java/util/concurrent/atomic");
    /**
     * Classes of these that cannot be, and whose objects no state gives; and reversed views: who has one has
     * made it, by a method that is not in the table.
     */
    private static final Pattern NO_STATE = Pattern.compile("java/util/(WeakHashMap|ServiceLoader|Scanner|Timer|Date|.*Calendar|Spliterators"
        + "|Formatter|Locale|ResourceBundle|Propert|ListResource|Currency|.*TimeZone|Hashtable|Enumeration|Event|StringTokenizer"
        + "|PriorityQueue.Itr|ImmutableCollections.Stable|.*Reverse.*View).*");
    /** Fields computed when they are first asked for, which then stay as they are; and the order of a map by access, which is asked for. */
    private static final Pattern CACHES = Pattern.compile("keySet|values|entrySet|navigableKeySet|descendingMap|hash|hashIsZero|.*View");
    /** Methods that do not change content: they change the order by access, which is asked for elsewhere, or give back room. */
    private static final Set<String> SILENT = Set.of("afterNodeAccess", "trimToSize");
    private static final int DEPTH = 12;

    /**
     * What a method does.
     *
     * @param parameters out of whose objects it writes some, as a set
     * @param where in what, for people
     * @param compares where it may compare, sort or print objects that it gets; empty if nowhere
     * @param gives the parameters that the result may be, or come out of
     */
    record Writes(long parameters, String where, String compares, long gives) {
        Writes(long parameters, String where) {
            this(parameters, where, parameters < 0 ? where : "", -1);
        }

        Writes and(Writes o) {
            return new Writes(parameters | o.parameters, o.parameters == 0 ? where : o.where, o.compares.isEmpty() ? compares : o.compares, gives | o.gives);
        }
    }

    static final Writes NOTHING = new Writes(0, "", "", 0);

    private final JdkMethods table;
    private final Path modules;
    private final Map<String, ClassNode> classes = new HashMap<>();
    private final List<String> universe = new ArrayList<>();
    private final Map<String, List<String>> concrete = new HashMap<>();
    private final Map<String, Writes> known = new HashMap<>();
    private final Set<String> open = new HashSet<>();

    JdkBytecode(Path modules, JdkMethods table) throws IOException {
        this.table = table;
        this.modules = modules;
        for (String p : PACKAGES) {
            try (Stream<Path> files = Files.list(modules.resolve("java.base/" + p))) {
                files.map(f -> p + "/" + f.getFileName()).filter(f -> f.endsWith(".class") && !NO_STATE.matcher(f).matches())
                    .forEach(f -> universe.add(f.substring(0, f.length() - 6)));
            }
        }
        universe.sort(null);
    }

    /** The class of the JDK, null if it is not in its base. */
    ClassNode node(String name) {
        if (!classes.containsKey(name)) {
            ClassNode node = null;
            Path file = modules.resolve("java.base/" + name + ".class");
            if (Files.exists(file)) {
                node = new ClassNode();
                try {
                    new ClassReader(Files.readAllBytes(file)).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            classes.put(name, node);
        }
        return classes.get(name);
    }

    /** The classes that may be behind a type. */
    List<String> concrete(String type) {
        return concrete.computeIfAbsent(type, t -> universe.stream()
            .filter(c -> !Modifier.isAbstract(node(c).access) && isSubtype(c, t)).toList());
    }

    boolean isSubtype(String name, String of) {
        ClassNode node = name == null ? null : node(name);
        return name != null && (name.equals(of) || node != null
            && (isSubtype(node.superName, of) || node.interfaces.stream().anyMatch(i -> isSubtype(i, of))));
    }

    /** The method that an object of a class runs; null if there is none. The key has no type of result. */
    MethodNode method(String type, String key) {
        for (String c = type; c != null; c = node(c).superName) {
            MethodNode m = declared(c, key);
            if (m != null && !Modifier.isAbstract(m.access)) {
                return m;
            }
        }
        return inInterfaces(type, key);
    }

    private MethodNode inInterfaces(String type, String key) {
        for (String c = type; c != null; c = node(c).superName) {
            for (String i : node(c).interfaces) {
                MethodNode m = declared(i, key);
                m = m != null && !Modifier.isAbstract(m.access) ? m : inInterfaces(i, key);
                if (m != null) {
                    return m;
                }
            }
        }
        return null;
    }

    private MethodNode declared(String type, String key) {
        ClassNode node = node(type);
        MethodNode bridge = null;
        for (MethodNode m : node == null ? List.<MethodNode>of() : node.methods) {
            if (key(m.name, m.desc).equals(key)) {
                if ((m.access & Opcodes.ACC_BRIDGE) == 0) {
                    return m;
                }
                bridge = m;
            }
        }
        return bridge;
    }

    private String owner(String type, MethodNode method) {
        for (String c = type; c != null; c = node(c).superName) {
            if (node(c).methods.contains(method)) {
                return c;
            }
        }
        return type;
    }

    static String key(String name, String descriptor) {
        return name + descriptor.substring(0, descriptor.indexOf(')') + 1);
    }

    /** What a method writes to, run on an object of a class. */
    Writes writes(String type, MethodNode method) {
        String id = type + ": " + owner(type, method) + "." + method.name + method.desc;
        Writes found = known.get(id);
        if (SILENT.contains(method.name)) {
            return NOTHING;
        }
        if (found != null || !open.add(id)) {
            return found == null ? NOTHING : found; // what runs again writes nothing more
        }
        if (open.size() > DEPTH) {
            found = new Writes(-1, id + " is too deep");
        } else if ((method.access & Opcodes.ACC_NATIVE) != 0) {
            found = ofNative(method, id);
        } else {
            found = new Flow(type, method).run();
        }
        open.remove(id);
        if (open.isEmpty() || found.parameters != 0) {
            known.put(id, found);
        }
        return found;
    }

    private static Writes ofNative(MethodNode m, String id) {
        boolean writes = m.name.startsWith("put") || m.name.contains("compareAnd") || m.name.startsWith("set")
            || m.name.equals("copyMemory0");
        return m.name.equals("arraycopy") ? new Writes(1 << 2, id) : writes ? new Writes(-1, id, "", -1) : NOTHING;
    }

    /** A value: the parameters out of whose objects it may come, and whether it is this itself. */
    private static final class From extends BasicValue {
        final long parameters;
        final boolean isThis;

        From(Type type, long parameters, boolean isThis) {
            super(type);
            this.parameters = parameters;
            this.isThis = isThis;
        }

        @Override
        public boolean equals(Object other) {
            return super.equals(other) && other instanceof From f && f.parameters == parameters && f.isThis == isThis;
        }

        @Override
        public int hashCode() {
            return super.hashCode();
        }
    }

    /** The flow through one method. What it makes is one object, which holds whatever is put into any of what it makes. */
    private final class Flow extends BasicInterpreter {
        private final String type;
        private final String owner;
        private final MethodNode method;
        private long held;
        private long written;
        private String where = "";
        private String compares = "";
        private long gives;
        private int parameter;

        Flow(String type, MethodNode method) {
            super(Opcodes.ASM9);
            this.type = type;
            this.method = method;
            owner = owner(type, method);
        }

        Writes run() {
            for (long before = -1; before != held;) {
                before = held;
                parameter = 0;
                try {
                    new Analyzer<>(this).analyze(owner, method);
                } catch (AnalyzerException e) {
                    return new Writes(-1, owner + "." + method.name + ": " + e.getMessage());
                }
            }
            return new Writes(written, where, compares, gives);
        }

        private BasicValue value(Type t, long parameters) {
            boolean isObject = t.getSort() == Type.ARRAY || t.getSort() == Type.OBJECT && !JdkValues.is(t.getInternalName());
            BasicValue basic = super.newValue(t);
            return basic == null || !isObject ? basic : new From(basic.getType(), parameters, false);
        }

        private static long of(BasicValue v) {
            return v instanceof From f ? f.parameters : 0;
        }

        private void write(BasicValue object, BasicValue value, String what) {
            if (of(object) == 0) {
                held |= of(value);
            } else {
                write(of(object), what);
            }
        }

        private void write(long parameters, String what) {
            if (parameters != 0 && (written | parameters) != written) {
                written |= parameters;
                where = owner + "." + method.name + " " + what;
            }
        }

        @Override
        public BasicValue newParameterValue(boolean isInstance, int local, Type t) {
            BasicValue v = value(t, 1L << parameter);
            boolean isThis = isInstance && parameter++ == 0;
            parameter += isInstance && isThis ? 0 : isInstance ? 0 : 1;
            return isThis ? new From(v.getType(), 1, true) : v;
        }

        @Override
        public BasicValue copyOperation(AbstractInsnNode insn, BasicValue v) {
            return v;
        }

        @Override
        public BasicValue newOperation(AbstractInsnNode insn) throws AnalyzerException {
            BasicValue v = super.newOperation(insn);
            return v != null && v.isReference() ? new From(v.getType(), 0, false) : v;
        }

        @Override
        public BasicValue unaryOperation(AbstractInsnNode insn, BasicValue v) throws AnalyzerException {
            if (insn instanceof FieldInsnNode f && f.getOpcode() == Opcodes.GETFIELD) {
                return value(Type.getType(f.desc), of(v) == 0 ? held : of(v));
            }
            if (insn.getOpcode() == Opcodes.PUTSTATIC && !method.name.equals("<clinit>")) {
                return null; // a static field is no actor's
            }
            BasicValue result = super.unaryOperation(insn, v);
            return insn.getOpcode() == Opcodes.CHECKCAST ? v instanceof From f && !f.isThis
                ? value(result.getType(), f.parameters) : v : result != null && result.isReference() ? new From(result.getType(), 0, false) : result;
        }

        @Override
        public BasicValue binaryOperation(AbstractInsnNode insn, BasicValue a, BasicValue b) throws AnalyzerException {
            if (insn instanceof FieldInsnNode f) {
                boolean isIterator = isSubtype(f.owner, "java/util/Iterator") // it changes as it goes on, and no state has one
                    || f.owner.matches(".*(Itr|Iterator|EntrySetView)");
                if (!CACHES.matcher(f.name).matches() && !isIterator) {
                    write(a, b, "writes " + f.owner + "." + f.name);
                }
                return null;
            }
            return insn.getOpcode() == Opcodes.AALOAD ? new From(BasicValue.REFERENCE_VALUE.getType(), of(a) == 0 ? held : of(a), false)
                : super.binaryOperation(insn, a, b);
        }

        @Override
        public BasicValue ternaryOperation(AbstractInsnNode insn, BasicValue array, BasicValue index, BasicValue v) {
            write(array, v, "writes an array");
            return null;
        }

        @Override
        public BasicValue merge(BasicValue a, BasicValue b) {
            if (a.equals(b)) {
                return a;
            }
            boolean same = a.isReference() && b.isReference();
            return same ? new From(BasicValue.REFERENCE_VALUE.getType(), of(a) | of(b), false) : super.merge(a, b);
        }

        @Override
        public BasicValue naryOperation(AbstractInsnNode insn, List<? extends BasicValue> values) throws AnalyzerException {
            long all = 0;
            for (BasicValue v : values) {
                all |= of(v);
            }
            if (insn instanceof MethodInsnNode call) {
                long given = call(call, values, all);
                JdkMethods.Deed deed = table.method(call.owner, call.name, call.desc).does();
                boolean makes = deed == JdkMethods.Deed.COPIES || deed == JdkMethods.Deed.HOLDS;
                held |= makes ? all : 0;
                boolean isFluent = deed == JdkMethods.Deed.CHANGES && call.desc.endsWith(")L" + call.owner + ";");
                return value(Type.getReturnType(call.desc), makes ? 0 : isFluent ? of(values.get(0)) : given);
            }
            if (insn instanceof InvokeDynamicInsnNode indy) {
                compares = all != 0 && ExternalEffect.of(indy.bsm) == ExternalEffect.OBJECTS ? owner + "." + method.name + " makes a text" : compares;
                return value(Type.getReturnType(indy.desc), all);
            }
            return super.naryOperation(insn, values);
        }

        @Override
        public void returnOperation(AbstractInsnNode insn, BasicValue value, BasicValue expected) {
            gives |= of(value);
        }

        /** A call, and the parameters out of whose objects what it gives may come. */
        private long call(MethodInsnNode call, List<? extends BasicValue> values, long all) {
            if (all == 0 && held == 0 && !call.name.equals("<init>")) {
                return 0; // it gets nothing that is not its own
            }
            if (call.name.equals("<init>") && of(values.get(0)) == 0) {
                held |= all;
            }
            boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
            boolean onThis = !isStatic && values.get(0) instanceof From f && f.isThis;
            String key = key(call.name, call.desc);
            JdkMethods.Method line = table.method(call.owner, call.name, call.desc);
            long writes;
            long gives = -1;
            String what = "calls " + call.owner + "." + key;
            if (!onThis && !line.isUnknown() && !call.name.equals("arraycopy")) {
                boolean first = line.changesItself() || call.owner.equals("java/util/Arrays");
                compares = line.sees() == ExternalEffect.NOTHING ? compares : owner + "." + method.name + " " + what;
                gives = isStatic || line.does() != JdkMethods.Deed.GIVES || line.givesArgument() ? -1 : 1;
                writes = line.does() != JdkMethods.Deed.CHANGES ? 0 : first ? 1 : key.startsWith("toArray([") ? 2 : -1;
            } else {
                Writes found = called(call, key, onThis);
                writes = found.parameters;
                gives = found.gives;
                compares = found.compares.isEmpty() ? compares : owner + "." + method.name + " " + what + ", and " + found.compares;
                what += found.where.isEmpty() ? "" : ", which " + found.where;
            }
            long given = 0;
            for (int i = 0; i < values.size(); i++) {
                given |= (gives >> Math.min(i, 62) & 1) != 0 ? of(values.get(i)) : 0;
                if ((writes >> Math.min(i, 62) & 1) != 0) {
                    write(of(values.get(i)), what);
                    if (of(values.get(i)) == 0) {
                        held |= all;
                    }
                }
            }
            return given;
        }

        private Writes called(MethodInsnNode call, String key, boolean onThis) {
            if (call.owner.equals("java/lang/invoke/VarHandle")) {
                boolean reads = call.name.matches("get(Volatile|Acquire|Opaque)?|.*Fence");
                return reads ? new Writes(0, "", "", -1) : new Writes(1 << 1, "writes it", "", -1);
            }
            if (call.owner.startsWith("jdk/internal/access/")) {
                return NOTHING; // a way to other packages of the JDK
            }
            if (node(call.owner) == null) {
                return call.owner.startsWith("[") ? NOTHING : new Writes(-1, "is not known");
            }
            boolean exact = call.getOpcode() == Opcodes.INVOKESTATIC || call.getOpcode() == Opcodes.INVOKESPECIAL;
            List<String> types = exact ? List.of(call.owner) : onThis ? List.of(type) : behind(call.owner);
            Writes all = NOTHING;
            for (String t : types) {
                MethodNode m = method(t, key);
                if (m == null) {
                    return new Writes(-1, "is not known of " + t);
                }
                all = all.and(writes(exact && onThis ? type : t, m));
            }
            return types.isEmpty() ? new Writes(-1, "is known of no class") : all;
        }

    }

    /** The classes of whose objects one may be that is of this type. */
    List<String> behind(String type) {
        List<String> found = concrete(type);
        return found.isEmpty() && !Modifier.isAbstract(node(type).access) ? List.of(type) : found;
    }
}
