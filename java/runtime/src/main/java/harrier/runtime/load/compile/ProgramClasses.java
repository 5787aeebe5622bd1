package harrier.runtime.load.compile;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The class files of a program, by class name.
 *
 * @param bytes the program's classes, and those on the class path that its code may make objects of
 * @param own the names of the classes that were asked for, as against those that came along with them
 * @param classPath where the program may look for more by their names
 * @param remarks for users, on how the program was read
 */
public record ProgramClasses(Map<String, byte[]> bytes, Set<String> own, ClassPath classPath, List<String> remarks) {
    /** A program that needs no class path. */
    public ProgramClasses(Map<String, byte[]> bytes, Set<String> own) {
        this(bytes, own, ClassPath.NONE, List.of());
    }

    /** All classes are the program's own. */
    public static ProgramClasses of(Map<String, byte[]> bytes) {
        return new ProgramClasses(bytes, bytes.keySet());
    }

    /** The program with the classes that it needs of a class path. */
    ProgramClasses with(ClassPath path) {
        Needed needed = new Needed(path, new HashMap<>(bytes));
        needed.add();
        return new ProgramClasses(needed.classes(), own, path, remarks)
            .remarking(ProgramFiles.modules(path.modules())).remarking(hidden(path));
    }

    /** Remarks on classes that come in place of others of their names. */
    private List<String> hidden(ClassPath path) {
        List<String> names = new TreeSet<>(bytes.keySet()).stream()
            .filter(n -> path.find(n) != null && !Arrays.equals(path.find(n), bytes.get(n))).toList();
        return names.isEmpty() ? List.of() : List.of("the program's own " + names.get(0)
            + (names.size() == 1 ? " hides a class of that name" : " and " + (names.size() == 2 ? "one other" : names.size() - 1 + " others")
                + " hide classes of these names")
            + " on the class path");
    }

    /** The program with more remarks. */
    ProgramClasses remarking(List<String> more) {
        List<String> both = new ArrayList<>(remarks);
        both.addAll(more);
        return new ProgramClasses(bytes, own, classPath, List.copyOf(both));
    }

    /** What people call the program's classes. */
    public ClassLabels labels() {
        return new ClassLabels(bytes.keySet());
    }

    /**
     * What people call classes that share their simple names, the classes of lambdas, and constants that share their names, by full
     * name; that of a constant has a dot before its own.
     */
    public Map<String, String> longerLabels() {
        ClassLabels labels = labels();
        Map<String, String> all = new TreeMap<>(labels.longer());
        all.putAll(ValueLabels.of(this, labels));
        return all;
    }

    /** The content of a class; null if neither the program nor its class path has one of that name. */
    public byte[] find(String name) {
        byte[] known = bytes.get(name);
        return known != null ? known : classPath.find(name);
    }

    /** Where a class is from, for people; empty if the program does not have it. */
    public String source(String name) {
        List<String> places = classPath.places(name);
        return bytes.containsKey(name) && own.contains(name) ? "the program's own" : places.isEmpty() ? "" : "of " + places.get(0);
    }

    /** The folders and jars of the class path that have another class of the name of one that the program takes, which is not theirs. */
    public List<String> hidden(String name) {
        byte[] taken = find(name);
        return classPath.places(name).stream().filter(place -> !Arrays.equals(classPath.read(place, name), taken)).toList();
    }

    /** The names of the program's own concrete classes that extend {@code base}, sorted. No class is loaded. */
    public List<String> concreteSubclasses(Class<?> base) {
        Map<String, ClassReader> readers = new HashMap<>();
        List<String> found = new ArrayList<>();
        for (String name : new TreeSet<>(own)) {
            ClassReader reader = reader(readers, name);
            if ((reader.getAccess() & Opcodes.ACC_ABSTRACT) == 0 && lineage(readers, name).contains(base.getName())) {
                found.add(name);
            }
        }
        return found;
    }

    /** Reports whether a class extends another one, or is it. No class is loaded. */
    public boolean isSubclass(String name, String base) {
        return lineage(new HashMap<>(), name).contains(base);
    }

    /**
     * Reports whether the code of a class, or of its superclasses within the program, refers to a method, whichever of
     * them it names as the owner. No class is loaded.
     */
    public boolean refersTo(String className, String method, String descriptor) {
        Map<String, ClassReader> readers = new HashMap<>();
        return lineage(readers, className).stream()
            .anyMatch(n -> bytes.containsKey(n) && ClassFile.names(bytes.get(n), "the class file of " + n, method, descriptor));
    }

    /** Reports whether the program's own code moves the clocks of actors. */
    public boolean moveClocks() {
        return own.stream().anyMatch(n -> ClassFile.names(bytes.get(n), "the class file of " + n, "advance", "(Ljava/time/Duration;)V"));
    }

    /** A class and its superclasses, up to the first that is not within the program. */
    private Set<String> lineage(Map<String, ClassReader> readers, String name) {
        Set<String> lineage = new LinkedHashSet<>(); // a damaged class may be its own superclass
        for (String n = name; lineage.add(n) && bytes.containsKey(n);) {
            String parent = reader(readers, n).getSuperName();
            n = parent == null ? n : parent.replace('/', '.');
        }
        return lineage;
    }

    /** The program's own classes, and those that they extend with all that is nested in or around these. No class is loaded. */
    public Set<String> ownAndExtended() {
        Map<String, ClassReader> readers = new HashMap<>();
        Set<String> around = new TreeSet<>();
        for (String name : own) {
            lineage(readers, name).stream().filter(n -> bytes.containsKey(n) && !own.contains(n)).map(ProgramClasses::outermost)
                .forEach(around::add);
        }
        Set<String> all = new TreeSet<>(own);
        bytes.keySet().stream().filter(n -> around.contains(outermost(n))).forEach(all::add);
        return all;
    }

    private static String outermost(String name) {
        int nested = name.indexOf('$', 1);
        return nested < 0 ? name : name.substring(0, nested);
    }

    private ClassReader reader(Map<String, ClassReader> readers, String name) {
        return readers.computeIfAbsent(name, n -> new ClassReader(bytes.get(n)));
    }

    /** The file and the first line of a method, such as {@code Hub.java:12}; empty if its class does not say. */
    public String place(Method method) {
        byte[] content = find(method.getDeclaringClass().getName());
        String[] found = {"", ""};
        if (content != null) {
            new ClassReader(content).accept(new ClassVisitor(Opcodes.ASM9) {
                @Override
                public void visitSource(String source, String debug) {
                    found[0] = source;
                }

                @Override
                public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                    boolean isIt = name.equals(method.getName()) && descriptor.equals(Type.getMethodDescriptor(method));
                    return !isIt ? null : new MethodVisitor(Opcodes.ASM9) {
                        @Override
                        public void visitLineNumber(int line, Label start) {
                            found[1] = found[1].isEmpty() ? ":" + line : found[1];
                        }
                    };
                }
            }, ClassReader.SKIP_FRAMES);
        }
        return found[0] == null || found[1].isEmpty() ? "" : found[0] + found[1];
    }

    /** The content of a class that steps depend on: of the program's own without the lines of its source. */
    public byte[] plain(String name) {
        return own.contains(name) ? ClassFile.withoutLines(bytes.get(name)) : bytes.get(name);
    }

    /** The program's classes that code of one of them may use beside those of objects that it is handed; null if it may use any. */
    public Set<String> usedBy(String name) {
        String where = "the class file of " + name;
        if (ClassFile.findsByName(bytes.get(name), where) || ClassFile.findsAround(bytes.get(name), where)) {
            return null;
        }
        Set<String> used = ClassFile.references(own.contains(name) ? ClassFile.withoutNest(bytes.get(name)) : bytes.get(name), where);
        used.retainAll(bytes.keySet());
        return used;
    }

    /**
     * A class, those that its code or declarations name, and so on: without other scenarios and what only these use. All classes if some
     * code may find classes by their names.
     */
    public Map<String, byte[]> reachedFrom(String root) {
        Map<String, byte[]> reached = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            String name = open.pop();
            if (bytes.containsKey(name) && reached.put(name, bytes.get(name)) == null) {
                Set<String> used = usedBy(name);
                if (used == null) {
                    return bytes;
                }
                open.addAll(used);
                open.addAll(ClassFile.declaredTypes(bytes.get(name)));
            }
        }
        return reached;
    }

    /** A copy with all that is needed to have the given classes again. */
    public Map<String, byte[]> subset(Iterable<String> names) {
        Map<String, byte[]> subset = new TreeMap<>();
        for (String name : names) {
            subset.put(name, find(name));
        }
        return subset;
    }
}
