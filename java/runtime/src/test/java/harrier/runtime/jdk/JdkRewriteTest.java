package harrier.runtime.jdk;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.CheckClassAdapter;

/** The rewritten classes of the JDK. */
public class JdkRewriteTest {
    private static final Path NEWER = Path.of("/usr/lib/jvm/temurin-25-jdk-amd64");

    @Test
    public void sitesOfThisJava() {
        assertSites(JdkRewrite::ofThisJava, 69, 8);
    }

    @Test
    public void sitesOfJava25() throws IOException {
        assumeTrue(Files.isDirectory(NEWER));
        try (FileSystem modules = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", NEWER.toString()))) {
            assertSites(type -> read(modules, type), 70, 11); // Set12.forEach is new, and so are virtual threads
        }
    }

    /** Classes that ask objects of the JDK's, that keep keys of the JDK's own, or whose objects no program makes. */
    private static final List<String> NOT_ASKED_BY_PROGRAMS = List.of("java/lang/ClassLoader", "java/lang/Enum", "java/lang/Module",
        "java/lang/ProcessBuilder$Redirect", "java/lang/PublicMethods$Key", "java/lang/Thread$WeakClassKey",
        "java/lang/WeakPairMap$Pair", "java/text/AttributeEntry", "java/text/StringCharacterIterator", "java/time/Clock$SourceClock",
        "java/time/Clock$SystemInstantSource", "java/time/temporal/WeekFields", "java/util/Calendar", "java/util/HashMap$TreeNode",
        "java/util/ImmutableCollections$StableMap$StableEntry", "java/util/ResourceBundle$CacheKey",
        "java/util/concurrent/ConcurrentHashMap$TreeBin");

    @Test
    public void allThatAsksAnyObjectForItsHashCodeIsRewritten() throws IOException {
        assertEquals(List.of(), asking(FileSystems.getFileSystem(URI.create("jrt:/"))));
        assumeTrue(Files.isDirectory(NEWER));
        try (FileSystem modules = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", NEWER.toString()))) {
            assertEquals(List.of(), asking(modules));
        }
    }

    private static List<String> asking(FileSystem modules) throws IOException {
        List<String> found = new ArrayList<>();
        Path base = modules.getPath("/modules/java.base");
        for (String folder : List.of("java/lang", "java/math", "java/text", "java/time", "java/time/chrono", "java/time/temporal",
                "java/util", "java/util/concurrent", "java/util/function", "java/util/stream")) {
            try (Stream<Path> files = Files.list(base.resolve(folder))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
                    ClassReader reader = new ClassReader(Files.readAllBytes(file));
                    if (asks(reader)) {
                        found.add(reader.getClassName());
                    }
                }
            }
        }
        found.removeAll(HashCodeRewrite.CLASSES);
        found.removeAll(NOT_ASKED_BY_PROGRAMS);
        return found;
    }

    private static boolean asks(ClassReader reader) {
        boolean[] asks = new boolean[1];
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String d, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                        asks[0] |= owner.equals("java/lang/Object") && name.equals("hashCode") || name.equals("identityHashCode");
                    }
                };
            }
        }, 0);
        return asks[0];
    }

    private static byte[] read(FileSystem modules, String type) {
        try {
            Path file = modules.getPath("/modules/java.base/" + type + ".class");
            return Files.exists(file) ? Files.readAllBytes(file) : null;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertSites(Function<String, byte[]> java, int number, int refusing) {
        int sites = 0;
        int refused = 0;
        Pattern isOn = Pattern.compile("HashOrder.isOn");
        for (Map.Entry<String, byte[]> rewritten : JdkRewrite.rewritten(java).entrySet()) {
            byte[] file = rewritten.getValue();
            StringWriter found = new StringWriter();
            if (!rewritten.getKey().matches(".*(Thread|util/Random|CopyOnWriteArrayList|Reversed|View)")) { // which need classes of their own Java
                CheckClassAdapter.verify(new ClassReader(file), null, false, new PrintWriter(found));
            }
            assertEquals("", found.toString());
            StringWriter code = new StringWriter();
            new ClassReader(file).accept(new org.objectweb.asm.util.TraceClassVisitor(new PrintWriter(code)), 0);
            sites += (int) isOn.matcher(code.toString()).results().count();
            int asking = code.toString().split("StepRules.check", -1).length - 1;
            if (rewritten.getKey().equals("sun/misc/Unsafe")) {
                assertEquals("all ways past the language ask", instanceMethods(file), asking);
            } else {
                refused += asking;
            }
            assertTrue("no salt is read", !code.toString().contains("GETSTATIC java/util/ImmutableCollections.SALT32L"));
            assertTrue("a thread's variables are found without refersTo",
                !rewritten.getKey().contains("ThreadLocalMap") || !code.toString().contains("refersTo"));
        }
        assertEquals(number, sites);
        assertEquals(refusing, refused);
    }

    /** How many methods of an object others can call. */
    private static int instanceMethods(byte[] file) {
        int[] methods = {0};
        new ClassReader(file).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                methods[0] += (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0 ? 1 : 0;
                return null;
            }
        }, 0);
        return methods[0];
    }

    @Test
    public void aKeptFileIsWholeOrMissing() throws IOException {
        Path folder = Files.createTempDirectory("harrier-test");
        Path file = folder.resolve("kept");
        try {
            assertNull(JdkRewrite.kept(file));
            Map<String, byte[]> classes = Map.of("a/A", new byte[] {1, 2}, "B", new byte[0]);
            JdkRewrite.keep(file, classes);
            byte[] whole = Files.readAllBytes(file);
            assertArrayEquals(classes.get("a/A"), JdkRewrite.kept(file).get("a/A"));
            for (int n = 0; n < whole.length; n++) {
                Files.write(file, Arrays.copyOf(whole, n));
                assertNull(JdkRewrite.kept(file));
                byte[] changed = whole.clone();
                changed[n] ^= 1;
                Files.write(file, changed);
                assertNull(JdkRewrite.kept(file));
            }
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    @Test
    public void aJavaWithoutAMethodIsRefused() {
        byte[] other = JdkRewrite.ofThisJava("java/util/ArrayDeque");
        assertTrue(assertThrows(IllegalStateException.class, () -> JdkRewrite.rewritten(type -> other)).getMessage()
            .startsWith("this Java's java/util/ArrayDeque has no ["));
    }
}
