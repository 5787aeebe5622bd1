package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.jdk.ExternalEffect;
import harrier.runtime.jdk.JdkMethods;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * Methods of the program that code outside may call of its own accord: those that stand in for a method of a class or an
 * interface outside, such as {@code removeEldestEntry}. What compares and prints is left to {@link Comparing}.
 */
public final class Callbacks {
    private final Classes classes;
    /** By the class of the object. Classes that have none are not in it. */
    private final Map<String, List<Method>> methods = new LinkedHashMap<>();
    /** Those of which only code that may call functions calls methods. */
    private final Set<String> functions = new HashSet<>();

    public Callbacks(Classes classes) {
        this.classes = classes;
        for (String name : classes.names()) {
            if (!classes.isAbstract(name)) {
                find(name);
            }
        }
    }

    private void find(String name) {
        Set<String> outside = new LinkedHashSet<>(classes.interfaces(name));
        outside.add(classes.foreignSuper(name));
        outside.removeIf(c -> classes.has(c) || Classes.BASES.contains(c));
        Set<String> declared = new HashSet<>();
        boolean all = false;
        if (outside.stream().allMatch(c -> ExternalEffect.isFunction(c) || c.equals("java/lang/Comparable") || JdkMethods.isUnknown(c))) {
            functions.add(name);
        }
        for (String c : outside) {
            Class<?> loaded = JdkMethods.load(c);
            all |= loaded == null;
            declare(loaded, declared);
        }
        List<String> own = new ArrayList<>(classes.lineage(name));
        classes.interfaces(name).stream().filter(classes::has).forEach(own::add);
        for (String c : outside.isEmpty() ? List.<String>of() : own) {
            for (MethodNode m : classes.node(c).methods) {
                boolean isOwn = m.name.startsWith("<") || ExternalEffect.CALLED.contains(m.name)
                    || (m.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE | Opcodes.ACC_ABSTRACT)) != 0;
                if (!isOwn && (all || declared.contains(key(m.name, m.desc)))) {
                    methods.computeIfAbsent(name, n -> new ArrayList<>()).add(new Method(classes.node(c), m));
                }
            }
        }
    }

    private static String key(String name, String descriptor) {
        return name + descriptor.substring(0, descriptor.indexOf(')'));
    }

    private static void declare(Class<?> type, Set<String> into) {
        if (type != null && type != Object.class) {
            for (java.lang.reflect.Method m : type.getDeclaredMethods()) {
                into.add(key(m.getName(), Type.getMethodDescriptor(m)));
            }
            declare(type.getSuperclass(), into);
            for (Class<?> i : type.getInterfaces()) {
                declare(i, into);
            }
        }
    }

    /** What code outside may call of objects of a class, if it may call functions or not. */
    Collection<Method> of(String name, boolean callsFunctions) {
        return functions.contains(name) && !callsFunctions ? List.of() : methods.getOrDefault(name, List.of());
    }

    boolean isEmpty() {
        return methods.isEmpty();
    }

    /** All that code outside may call. */
    Collection<Method> all() {
        return methods.values().stream().flatMap(List::stream).toList();
    }

    /** Reports whether objects of any class may be among some. Then all may be called. */
    boolean mayBeAny(BitSet given, Objects objects) {
        return given.stream().mapToObj(objects::maker)
            .anyMatch(m -> m == null || m.kind == Def.Kind.PARAMETER && !classes.has(Types.name(m.type)));
    }

    /** What may be called of some objects, whose classes are known, and of all that is inside of them. */
    Collection<Method> of(BitSet given, Objects objects) {
        Set<Method> found = new LinkedHashSet<>();
        given.stream().mapToObj(objects::maker).filter(m -> m.kind != Def.Kind.LAMBDA)
            .forEach(m -> classes.family(Types.name(m.type)).forEach(c -> found.addAll(methods.getOrDefault(c, List.of()))));
        return found;
    }
}
