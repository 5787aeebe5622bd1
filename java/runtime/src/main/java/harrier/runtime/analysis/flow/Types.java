package harrier.runtime.analysis.flow;

import harrier.runtime.jdk.JdkValues;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/** What types say about the values that have them. Types are descriptors. */
public final class Types {
    private static final Set<String> MARKERS = Set.of("java/io/Serializable", "java/lang/Cloneable");

    private final Classes classes;

    Types(Classes classes) {
        this.classes = classes;
    }

    public enum Kind {
        /** The value is all there is: numbers, strings, names, enums, null. */
        VALUE,
        /** What the object holds is in fields of the program. */
        PROGRAM,
        /** The object may hold anything: collections, arrays, objects of unknown types. */
        OPAQUE
    }

    public Kind kind(String type) {
        if (type.startsWith("[")) {
            return Kind.OPAQUE;
        }
        if (!type.startsWith("L")) {
            return Kind.VALUE;
        }
        String name = name(type);
        if (JdkValues.is(name) || classes.isEnum(name)) {
            return Kind.VALUE;
        }
        return classes.isPlain(name) ? Kind.PROGRAM : Kind.OPAQUE;
    }

    public static String name(String type) {
        return type.startsWith("L") ? type.substring(1, type.length() - 1) : type;
    }

    public static boolean isReference(String type) {
        return type.startsWith("L") || type.startsWith("[") || type.equals("null");
    }

    /** Reports whether a value of one type is of another one for certain. */
    public boolean is(String type, String of) {
        return type.equals("null") || type.equals(of) || of.equals("Ljava/lang/Object;")
            || type.startsWith("L") && of.startsWith("L") && classes.isSubtype(name(type), name(of));
    }

    /** Reports whether equals and hashCode of all values of a type are known never to fail, and to do nothing else. */
    public boolean hashes(String type) {
        return harmless(type, new HashSet<>(), "equals(Ljava/lang/Object;)Z", "hashCode()I");
    }

    /** Reports whether toString is. */
    public boolean prints(String type) {
        return harmless(type, new HashSet<>(), "toString()Ljava/lang/String;");
    }

    /** Reports whether values of a type have an order that is known never to fail among themselves. */
    public boolean isOrdered(String type) {
        return JdkValues.isOrdered(name(type)) || classes.isEnum(name(type));
    }

    private boolean harmless(String type, Set<String> seen, String... methods) {
        if (kind(type) == Kind.OPAQUE) {
            return false;
        }
        String name = name(type);
        for (String c : classes.has(name) ? classes.family(name) : Set.<String>of()) {
            if (!harmlessClass(c, seen, methods)) {
                return false;
            }
        }
        return true;
    }

    private boolean harmlessClass(String name, Set<String> seen, String... methods) {
        if (!seen.add(name)) {
            return false; // a record that may hold itself could recurse without end
        }
        if (classes.isInterface(name)) {
            return true; // lambdas have the methods of Object; other classes are looked at below
        }
        for (String i : classes.interfaces(name)) {
            if (!classes.has(i) && !MARKERS.contains(i)) {
                return false; // Comparable, for one, may be asked by a crowded HashMap
            }
        }
        for (String method : methods) {
            int end = method.indexOf('(');
            Classes.Method own = classes.method(name, method.substring(0, end), method.substring(end));
            if (own != null && !(classes.isRecord(name) && isGenerated(own))) {
                return false;
            }
        }
        if (classes.isRecord(name)) {
            for (Classes.Field f : classes.instanceFields(name)) {
                if (!harmless(f.node().desc, new HashSet<>(seen), methods)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Reports whether the compiler made a record's method. */
    public static boolean isGenerated(Classes.Method method) {
        for (var insn : method.node().instructions) {
            if (insn instanceof InvokeDynamicInsnNode indy) {
                return indy.bsm.getOwner().equals("java/lang/runtime/ObjectMethods");
            }
        }
        return false;
    }
}
