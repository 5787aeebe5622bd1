package harrier.runtime.load;

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
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

/** What is rewritten of the JDK's classes. */
public class JdkRewriteTest {
    private static final Path NEWER = Path.of("/usr/lib/jvm/temurin-25-jdk-amd64");

    @Test
    public void sitesOfThisJava() {
        assertSites(JdkRewrite::ofThisJava, 69, 3);
    }

    @Test
    public void sitesOfJava25() throws IOException {
        assumeTrue(Files.isDirectory(NEWER));
        try (FileSystem modules = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", NEWER.toString()))) {
            assertSites(type -> read(modules, type), 70, 6); // Set12.forEach is new, and so are virtual threads
        }
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
            if (!rewritten.getKey().endsWith("Thread") && !rewritten.getKey().endsWith("util/Random")) { // which needs classes of its own Java to be verified
                CheckClassAdapter.verify(new ClassReader(file), null, false, new PrintWriter(found));
            }
            assertEquals("", found.toString());
            StringWriter code = new StringWriter();
            new ClassReader(file).accept(new org.objectweb.asm.util.TraceClassVisitor(new PrintWriter(code)), 0);
            sites += (int) isOn.matcher(code.toString()).results().count();
            refused += code.toString().split("StepRules.check", -1).length - 1;
            assertTrue("no salt is read", !code.toString().contains("GETSTATIC java/util/ImmutableCollections.SALT32L"));
        }
        assertEquals(number, sites);
        assertEquals(refusing, refused);
    }

    @Test
    public void aKeptFileIsWholeOrMissing() throws IOException {
        Path folder = Files.createTempDirectory("harrier-test");
        Path file = folder.resolve("kept");
        try {
            assertNull(KeptClasses.read(file));
            Map<String, byte[]> classes = Map.of("a/A", new byte[] {1, 2}, "B", new byte[0]);
            KeptClasses.write(file, classes);
            byte[] whole = Files.readAllBytes(file);
            assertArrayEquals(classes.get("a/A"), KeptClasses.read(file).get("a/A"));
            for (int n = 0; n < whole.length; n++) {
                Files.write(file, Arrays.copyOf(whole, n));
                assertNull(KeptClasses.read(file));
                byte[] changed = whole.clone();
                changed[n] ^= 1;
                Files.write(file, changed);
                assertNull(KeptClasses.read(file));
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
