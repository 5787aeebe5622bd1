package harrier.runtime.jdk;

import harrier.runtime.cache.Blobs;
import harrier.runtime.cache.KeptFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import jdk.internal.misc.Unsafe;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Rewrites methods of the JDK's own classes when the virtual machine starts, so that no code can go past it: programs,
 * libraries and the JDK itself call the same methods. Only bodies change.
 *
 * <p>A rewritten method first asks {@code jdk.internal.util.HashOrder.isOn}; if so, it returns what the method of a site's
 * name there does. That class is of the package {@code jdk.internal.util}, which programs cannot link to. To rewrite one more method, add
 * a {@link JdkSites.Site}; to do something else than iterate, add a hook class beside that one and its name to {@link #HOOKS}.
 */
public final class JdkRewrite {
    private static final String PACKAGE = "jdk/internal/util/";
    private static final String ORDER = PACKAGE + "HashOrder";
    /** The classes that rewritten methods call, those that others extend first. */
    private static final List<String> HOOKS = List.of("HashOrder", "HashOrder$Here", "HashOrder$InOrder", "HashOrder$Places", "HashOrder$Fixed",
        "HashOrder$ByKey", "HashOrder$Live", "HashOrder$1", "HashOrder$2", "Drawing", "Drawing$1", "Drawing$Holder", "IdentitySequence", "IdentitySequence$1",
        "IdentityCodes", "IdentityCodes$1", "IdentityCodes$2", "StepRules");

    /** Each virtual machine draws by chance where {@code Set.of} and {@code Map.of} begin to iterate; ours do not. */
    private static final Map<String, Object> CONSTANTS = Map.of("SALT32L", 0x4A7B_19E5L, "REVERSE", 0);

    /** The methods that a step must not reach, by their class. Of virtual threads and thread containers Java 17 knows nothing. */
    private static final Map<String, List<String>> REFUSED = Map.of(
        "java/lang/Thread", List.of("start()V", "start(Ljdk/internal/vm/ThreadContainer;)V"),
        "java/lang/VirtualThread", List.of("start()V", "start(Ljdk/internal/vm/ThreadContainer;)V"),
        "java/lang/Runtime", List.of("exit(I)V", "halt(I)V"));

    /** What the JDK throws where a file may not be read: its constructors say so, as a program may catch it. */
    private static final List<String> DENIALS = List.of("java/nio/file/AccessDeniedException", "java/io/FileNotFoundException");

    /** What reaches past the language. However a program got hold of its object, each of the methods asks. */
    private static final String MEMORY = "sun/misc/Unsafe";

    /** The method that gives the names in a folder, and null where it may not be read. */
    private static final String LISTS = "java/io/File.normalizedList()[Ljava/lang/String;";

    private static final String THREADS_OWN = "java/util/concurrent/ThreadLocalRandom";
    private static final String RANDOM = "java/util/Random";

    /** What the values of a thread's variables are found in. */
    private static final String THREAD_LOCALS = "java/lang/ThreadLocal$ThreadLocalMap";

    /** Classes that a Java may not have: those that are newer than Java 17, and that of a module that an image may leave out. */
    private static final Set<String> OPTIONAL = Set.of(MEMORY, "java/lang/VirtualThread", "java/util/concurrent/CopyOnWriteArrayList$Reversed",
        "java/util/ReverseOrderListView", "java/util/ReverseOrderSortedSetView");

    private JdkRewrite() {}

    /** Gives classes other bodies. */
    public interface Redefiner {
        void redefine(Class<?>[] types, byte[][] files) throws Exception;
    }

    /**
     * Puts the hooks in place, before any other class of harrier's is initialized, and gives the rewritten classes by their internal
     * names.
     *
     * @param kept the file in which {@link #keep} put them; null for none
     */
    public static Map<String, byte[]> begin(String kept) {
        Map<String, byte[]> files = kept == null ? null : kept(Path.of(kept));
        if (files == null) {
            files = hooksAndRewritten();
        }
        for (String hook : HOOKS) {
            byte[] bytes = files.remove(PACKAGE + hook);
            Unsafe.getUnsafe().defineClass(PACKAGE + hook, bytes, 0, bytes.length, null, null);
        }
        return files;
    }

    /** Puts the rewritten methods in place, before any code of a program runs. */
    public static void install(Map<String, byte[]> rewritten, Redefiner redefiner) {
        Class<?>[] types = new Class<?>[rewritten.size()];
        try {
            int n = 0;
            for (String name : rewritten.keySet()) {
                types[n++] = Class.forName(name.replace('/', '.'), false, null);
            }
            redefiner.redefine(types, rewritten.values().toArray(new byte[0][]));
        } catch (Exception e) {
            throw new IllegalStateException("the JDK's hash collections cannot be rewritten: " + e, e);
        }
    }

    /** Puts the hooks and the rewritten classes into a file, from which another virtual machine of the same Java takes them. */
    public static void keep(Path file) throws IOException {
        keep(file, hooksAndRewritten());
    }

    static void keep(Path file, Map<String, byte[]> classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Blobs.write(new DataOutputStream(bytes), classes);
        KeptFiles.write(file, bytes.toByteArray());
    }

    /** What {@link #keep} put into a file; null if it is not whole. */
    static Map<String, byte[]> kept(Path file) {
        byte[] bytes = KeptFiles.read(file);
        try {
            return bytes == null ? null : Blobs.read(new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (IOException e) {
            return null;
        }
    }

    private static Map<String, byte[]> hooksAndRewritten() {
        Map<String, byte[]> files = rewritten(JdkRewrite::ofThisJava);
        HOOKS.forEach(hook -> files.put(PACKAGE + hook, Objects.requireNonNull(read(JdkRewrite.class.getClassLoader(), PACKAGE + hook))));
        return files;
    }

    /** A class file of the JDK that runs; null if there is none. */
    static byte[] ofThisJava(String type) {
        return read(ClassLoader.getSystemClassLoader(), type);
    }

    /**
     * The rewritten classes by their internal names.
     *
     * @param java gives the class files of a JDK, null for those that it has not
     */
    static Map<String, byte[]> rewritten(Function<String, byte[]> java) {
        Map<String, Map<String, JdkSites.Site>> byType = new TreeMap<>();
        JdkSites.ALL.forEach(s -> byType.computeIfAbsent(s.type(), t -> new LinkedHashMap<>()).put(s.key(), s));
        for (String type : List.of("$Set12", "$Set12$1", "$SetN$SetNIterator", "$MapN$MapNIterator")) {
            byType.computeIfAbsent(JdkSites.IMMUTABLE + type, t -> new LinkedHashMap<>());
        }
        HashCodeRewrite.CLASSES.forEach(type -> byType.computeIfAbsent(type, t -> new LinkedHashMap<>()));
        REFUSED.keySet().forEach(type -> byType.put(type, Map.of()));
        List.of(THREADS_OWN, RANDOM, THREAD_LOCALS, MEMORY, LISTS.substring(0, LISTS.indexOf('.'))).forEach(type -> byType.put(type, Map.of()));
        DENIALS.forEach(type -> byType.put(type, Map.of()));
        Map<String, byte[]> files = new TreeMap<>();
        byType.forEach((type, sites) -> {
            byte[] file = java.apply(type);
            if (file != null) {
                files.put(type, rewrite(file, sites));
            } else if (!OPTIONAL.contains(type)) {
                throw new IllegalStateException("this Java has no class " + type);
            }
        });
        return files;
    }

    private static byte[] read(ClassLoader loader, String type) {
        try (InputStream in = loader.getResourceAsStream(type + ".class")) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] rewrite(byte[] file, Map<String, JdkSites.Site> sites) {
        ClassReader reader = new ClassReader(file);
        ClassWriter writer = new ClassWriter(reader, 0);
        TreeSet<String> missing = new TreeSet<>();
        sites.values().stream().filter(s -> !s.isOptional()).forEach(s -> missing.add(s.key()));
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                    String[] exceptions) {
                MethodVisitor m = super.visitMethod(access, name, descriptor, signature, exceptions);
                missing.remove(name + descriptor);
                JdkSites.Site site = sites.get(name + descriptor);
                if (REFUSED.getOrDefault(reader.getClassName(), List.of()).contains(name + descriptor)) {
                    m = new Refusing(m, reader.getClassName().replace("VirtualThread", "Thread") + "." + name);
                }
                if (reader.getClassName().equals(MEMORY) && (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0) {
                    m = new Refusing(m, MEMORY + "." + name);
                }
                if ((reader.getClassName() + "." + name + descriptor).equals(LISTS)) {
                    m = new Listing(m);
                }
                if (DENIALS.contains(reader.getClassName()) && name.equals("<init>")) {
                    m = new Denied(m, reader.getClassName());
                }
                if (reader.getClassName().equals(THREAD_LOCALS)) {
                    m = new NoNativeCall(m);
                }
                if (reader.getClassName().startsWith(JdkSites.IMMUTABLE)) {
                    m = new Constants(m);
                }
                if ((reader.getClassName() + "." + name).equals(THREADS_OWN + ".nextSeed")) {
                    m = new NoThread(m);
                } else if ((reader.getClassName() + "." + name).equals(RANDOM + ".nextGaussian")) {
                    m = new NotKept(m);
                }
                if (HashCodeRewrite.CLASSES.contains(reader.getClassName())) {
                    m = new HashCodeRewrite(m, name);
                }
                return site == null ? m : new Entry(m, site);
            }
        }, 0);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("this Java's " + reader.getClassName() + " has no " + missing);
        }
        return writer.toByteArray();
    }

    /** Puts the question whether an order is on before the code of a method. */
    private static final class Entry extends MethodVisitor {
        private final JdkSites.Site site;

        Entry(MethodVisitor m, JdkSites.Site site) {
            super(Opcodes.ASM9, m);
            this.site = site;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            Label off = new Label();
            visitMethodInsn(Opcodes.INVOKESTATIC, ORDER, "isOn", "()Z", false);
            visitJumpInsn(Opcodes.IFEQ, off);
            site.receiver().push(mv, site);
            int local = 1;
            for (Type argument : Type.getArgumentTypes(site.descriptor())) {
                visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
                local += argument.getSize();
            }
            visitMethodInsn(Opcodes.INVOKESTATIC, ORDER, site.hook(), site.hookDescriptor(), false);
            visitInsn(Type.getReturnType(site.descriptor()).getOpcode(Opcodes.IRETURN));
            visitLabel(off);
            visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            visitInsn(Opcodes.NOP); // the code may begin with a frame of its own
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(Math.max(stack, 4 + locals), locals);
        }
    }

    /** Asks whether a step may have the object do something. */
    private static void ask(MethodVisitor m, String what) {
        m.visitVarInsn(Opcodes.ALOAD, 0);
        m.visitLdcInsn(what);
        m.visitMethodInsn(Opcodes.INVOKESTATIC, PACKAGE + "StepRules", "check", "(Ljava/lang/Object;Ljava/lang/String;)V", false);
    }

    /** Has a method ask whether it may be reached. */
    private static final class Refusing extends MethodVisitor {
        private final String what;

        Refusing(MethodVisitor m, String what) {
            super(Opcodes.ASM9, m);
            this.what = what;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            ask(mv, what);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(Math.max(stack, 2), locals);
        }
    }

    /** Has a method hand its list to a hook. */
    private static final class Listing extends MethodVisitor {
        Listing(MethodVisitor m) {
            super(Opcodes.ASM9, m);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ARETURN) {
                visitInsn(Opcodes.DUP);
                visitVarInsn(Opcodes.ALOAD, 0);
                visitMethodInsn(Opcodes.INVOKESTATIC, PACKAGE + "StepRules", "listed", "(Ljava/lang/Object;Ljava/lang/Object;)V", false);
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 2, locals);
        }
    }

    /** Has a constructor hand its object to a hook. */
    private static final class Denied extends MethodVisitor {
        private final String type;

        Denied(MethodVisitor m, String type) {
            super(Opcodes.ASM9, m);
            this.type = type;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                ask(mv, type);
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(Math.max(stack, 2), locals);
        }
    }

    /** Has what a thread's random generator gives depend on its seed alone, not on the thread's number. */
    private static final class NoThread extends MethodVisitor {
        NoThread(MethodVisitor m) {
            super(Opcodes.ASM9, m);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (owner.equals("java/lang/Thread") && descriptor.equals("()J")) {
                visitInsn(Opcodes.POP);
                visitInsn(Opcodes.LCONST_1);
            } else {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            }
        }
    }

    /** Has the random generator of threads, one object for all of them, keep no second number for later. */
    private static final class NotKept extends MethodVisitor {
        NotKept(MethodVisitor m) {
            super(Opcodes.ASM9, m);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            Label other = new Label();
            visitVarInsn(Opcodes.ALOAD, 0);
            visitTypeInsn(Opcodes.INSTANCEOF, THREADS_OWN);
            visitJumpInsn(Opcodes.IFEQ, other);
            visitVarInsn(Opcodes.ALOAD, 0);
            visitMethodInsn(Opcodes.INVOKESTATIC, "jdk/internal/util/random/RandomSupport", "computeNextGaussian",
                "(Ljava/util/random/RandomGenerator;)D", false);
            visitInsn(Opcodes.DRETURN);
            visitLabel(other);
            visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            visitInsn(Opcodes.NOP);
        }
    }

    /**
     * Has a thread's variables found without the native method {@code refersTo}, which the first compiler of the virtual machine
     * does not replace: hooks look at such variables several times in each step.
     */
    private static final class NoNativeCall extends MethodVisitor {
        private boolean compares;

        NoNativeCall(MethodVisitor m) {
            super(Opcodes.ASM9, m);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            compares = name.equals("refersTo");
            if (compares) {
                visitInsn(Opcodes.SWAP);
                super.visitMethodInsn(opcode, owner, "get", "()Ljava/lang/Object;", false);
            } else {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            }
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            int same = opcode == Opcodes.IFEQ ? Opcodes.IF_ACMPNE : Opcodes.IF_ACMPEQ;
            super.visitJumpInsn(compares ? same : opcode, label);
            compares = false;
        }
    }

    /** Puts constants in place of what a virtual machine draws by chance. */
    private static final class Constants extends MethodVisitor {
        Constants(MethodVisitor m) {
            super(Opcodes.ASM9, m);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            Object constant = opcode == Opcodes.GETSTATIC && owner.equals(JdkSites.IMMUTABLE) ? CONSTANTS.get(name) : null;
            if (constant == null) {
                super.visitFieldInsn(opcode, owner, name, descriptor);
            } else {
                visitLdcInsn(constant);
            }
        }
    }
}
