package harrier.runtime.analysis.flow;

import harrier.runtime.load.compile.ClassLabels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** The program's classes and how they inherit. Classes are named as in bytecode. Nothing is loaded. */
public final class Classes {
    public static final String ACTOR = "harrier/Actor";
    public static final String SCENARIO = "harrier/Scenario";
    /** Superclasses outside of the program that bring no state and no behaviour that is not known here. */
    public static final Set<String> BASES =
        Set.of("java/lang/Object", "java/lang/Record", "java/lang/Enum", ACTOR, SCENARIO);

    private final ClassLabels labels;
    private final boolean natives;
    private final Map<String, ClassReader> readers = new TreeMap<>();
    private final Map<String, ClassNode> nodes = new HashMap<>();
    private final Map<String, List<String>> children = new HashMap<>();
    private final Map<String, Set<String>> families = new HashMap<>();
    private final Map<String, Boolean> plain = new HashMap<>();

    /** @param natives whether native methods may run; each fails if not */
    public Classes(Map<String, byte[]> files, ClassLabels labels, boolean natives) {
        this.labels = labels;
        this.natives = natives;
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            readers.put(file.getKey().replace('.', '/'), new ClassReader(file.getValue()));
        }
        for (Map.Entry<String, ClassReader> entry : readers.entrySet()) {
            addChild(entry.getValue().getSuperName(), entry.getKey());
            for (String i : entry.getValue().getInterfaces()) {
                addChild(i, entry.getKey());
            }
        }
    }

    private void addChild(String parent, String name) {
        List<String> known = children.get(parent);
        if (known == null) {
            known = new ArrayList<>();
            children.put(parent, known);
        }
        known.add(name);
    }

    public boolean has(String name) {
        return readers.containsKey(name);
    }

    /** The content of a class of the program, null for others. */
    public ClassNode node(String name) {
        ClassNode node = nodes.get(name);
        if (node == null && has(name)) {
            node = new ClassNode();
            readers.get(name).accept(node, ClassReader.SKIP_FRAMES);
            if (!natives) {
                node.methods.forEach(Classes::failNative);
            }
            nodes.put(name, node);
        }
        return node;
    }

    /** Gives a native method a body that throws. */
    private static void failNative(MethodNode method) {
        if ((method.access & Opcodes.ACC_NATIVE) != 0) {
            method.access &= ~Opcodes.ACC_NATIVE;
            method.visitInsn(Opcodes.ACONST_NULL);
            method.visitInsn(Opcodes.ATHROW);
            method.visitMaxs(1, Type.getArgumentsAndReturnSizes(method.desc) >> 2);
        }
    }

    String superOf(String name) {
        return has(name) ? readers.get(name).getSuperName() : null;
    }

    public boolean isAbstract(String name) {
        return (readers.get(name).getAccess() & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0;
    }

    boolean isInterface(String name) {
        return has(name) && (readers.get(name).getAccess() & Opcodes.ACC_INTERFACE) != 0;
    }

    public boolean isEnum(String name) {
        return has(name) && (readers.get(name).getAccess() & Opcodes.ACC_ENUM) != 0;
    }

    public boolean isRecord(String name) {
        return "java/lang/Record".equals(superOf(name));
    }

    /** The class and all of the program below it. */
    public Set<String> family(String name) {
        Set<String> known = families.get(name);
        if (known == null) {
            known = new LinkedHashSet<>();
            collect(name, known);
            families.put(name, known);
        }
        return known;
    }

    /** Those of them that are not abstract, in order. */
    public Set<String> concrete(String name) {
        Set<String> concrete = new TreeSet<>(family(name));
        concrete.removeIf(c -> !has(c) || isAbstract(c));
        return concrete;
    }

    /** Reports whether the program has classes right below a class, which may be one outside. */
    public boolean hasChildren(String name) {
        return name.equals("java/lang/Object") || !children.getOrDefault(name, List.of()).isEmpty() && !has(name);
    }

    private void collect(String name, Set<String> into) {
        if (into.add(name)) {
            for (String child : children.getOrDefault(name, List.of())) {
                collect(child, into);
            }
        }
    }

    public boolean isSubtype(String name, String of) {
        return family(of).contains(name);
    }

    /** The class and its superclasses in the program, topmost first. */
    public List<String> lineage(String name) {
        List<String> chain = new ArrayList<>();
        for (String c = name; has(c); c = superOf(c)) {
            chain.add(0, c);
        }
        return chain;
    }

    /** The first superclass that is not of the program. */
    public String foreignSuper(String name) {
        String c = name;
        while (has(c)) {
            c = superOf(c);
        }
        return c;
    }

    /** All interfaces that a class has, those outside of the program as well. */
    public Set<String> interfaces(String name) {
        Set<String> all = new LinkedHashSet<>();
        for (String c : lineage(name)) {
            addInterfaces(c, all);
        }
        return all;
    }

    /** Reports whether code outside of the program may call methods of a class, as those of a supertype outside. */
    public boolean mayBeCalledOutside(String name) {
        return !isPlain(name) || family(name).stream().flatMap(c -> interfaces(c).stream()).anyMatch(i -> !has(i));
    }

    private void addInterfaces(String name, Set<String> into) {
        if (has(name)) {
            for (String i : readers.get(name).getInterfaces()) {
                if (into.add(i)) {
                    addInterfaces(i, into);
                }
            }
        }
    }

    /** Reports whether all state of the objects of a type of the program lies in fields that the program declares. */
    public boolean isPlain(String name) {
        Boolean known = plain.get(name);
        if (known == null) {
            known = has(name);
            for (String c : family(name)) {
                known &= BASES.contains(String.valueOf(foreignSuper(c)));
            }
            plain.put(name, known);
        }
        return known;
    }

    /** The fields that a class of the program declares itself, in order, without statics. */
    public List<Field> instanceFields(String name) {
        List<Field> found = new ArrayList<>();
        for (FieldNode f : node(name).fields) {
            Field field = new Field(node(name), f);
            if (!field.isStatic()) {
                found.add(field);
            }
        }
        return found;
    }

    /** A method with its class. */
    public record Method(ClassNode owner, MethodNode node) {
        public String key() {
            return key(owner.name, node.name, node.desc);
        }

        static String key(String owner, String name, String descriptor) {
            return owner + "." + name + descriptor;
        }

        public boolean is(int access) {
            return (node.access & access) != 0;
        }

        public int parameters() {
            return Type.getArgumentTypes(node.desc).length;
        }

        /** Reports whether a parameter has an annotation. */
        public boolean isMarked(int parameter, String annotation) {
            List<AnnotationNode>[] marks = node.visibleParameterAnnotations;
            return marks != null && parameter < marks.length && Roots.isAnnotated(marks[parameter], annotation);
        }
    }

    /** A field with its class. */
    public record Field(ClassNode owner, FieldNode node) {
        public String key() {
            return owner.name + "." + node.name;
        }

        public boolean isStatic() {
            return (node.access & Opcodes.ACC_STATIC) != 0;
        }
    }

    public Field field(String owner, String name) {
        for (String c = owner; has(c); c = superOf(c)) {
            for (FieldNode f : node(c).fields) {
                if (f.name.equals(name)) {
                    return new Field(node(c), f);
                }
            }
        }
        for (String i : interfaces(owner)) {
            if (has(i)) {
                for (FieldNode f : node(i).fields) {
                    if (f.name.equals(name)) {
                        return new Field(node(i), f);
                    }
                }
            }
        }
        return null;
    }

    /** The method that a class has, its own or inherited; null if it is not the program's. */
    public Method method(String owner, String name, String descriptor) {
        for (String c = owner; has(c); c = superOf(c)) {
            Method m = declared(c, name, descriptor);
            if (m != null) {
                return m;
            }
        }
        Method found = null;
        for (String i : has(owner) ? interfaces(owner) : Set.<String>of()) {
            Method m = has(i) ? declared(i, name, descriptor) : null;
            // The most specific default wins.
            if (m != null && (found == null || found.is(Opcodes.ACC_ABSTRACT)
                    || !m.is(Opcodes.ACC_ABSTRACT) && isSubtype(i, found.owner().name))) {
                found = m;
            }
        }
        return found;
    }

    Method declared(String owner, String name, String descriptor) {
        for (MethodNode m : node(owner).methods) {
            if (m.name.equals(name) && m.desc.equals(descriptor)) {
                return new Method(node(owner), m);
            }
        }
        return null;
    }

    /**
     * The methods that a virtual call may run.
     *
     * @param methods those of the program
     * @param others whether there may be others: an object whose class does not declare the method
     */
    public record Targets(List<Method> methods, boolean others) {}

    Targets targets(String owner, String name, String descriptor) {
        Map<String, Method> found = new LinkedHashMap<>();
        boolean others = !has(owner);
        for (String c : family(owner)) {
            if (!has(c) || isAbstract(c)) {
                continue;
            }
            Method m = method(c, name, descriptor);
            if (m == null || m.is(Opcodes.ACC_ABSTRACT)) {
                others = true;
            } else {
                found.put(m.key(), m);
            }
        }
        return new Targets(List.copyOf(found.values()), others);
    }

    /** All names of classes. */
    public Set<String> names() {
        return readers.keySet();
    }

    /** What people call a class. */
    public String shown(String name) {
        return labels.of(name.replace('/', '.'));
    }
}
