package harrier.runtime.load.compile;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.failure.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

public class ClassPathTest {
    private static final int HERE = Runtime.version().feature();

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder;

    @Before
    public void prepare() {
        UserProgram.prepare();
        folder = temporary.getRoot().toPath();
    }

    @Test
    public void theFirstEntryThatHasAClassCounts() throws IOException {
        Path one = library("one", "package p; public class A {}", "package p; public class B {}");
        Path two = library("two", "package p; public class A { int two; }", "package p; public class C {}");

        ClassPath path = open(one, jar(two));

        assertArrayEquals(bytes(one, "p/A"), path.find("p.A"));
        assertArrayEquals(bytes(two, "p/C"), path.find("p.C"));
        assertNull(path.find("p.D"));
        assertEquals(Set.of("p.A", "p.B", "p.C"), path.inPackage("p"));
        assertEquals(Set.of(), path.inPackage(""));
        assertEquals(Set.of("p.A", "p.B", "p.C"), path.all());
    }

    @Test
    public void whatStandsInForAClassInChecksCountsWhereverItIs() throws IOException {
        Path one = library("one", "package p; public class A {}");
        Path two = library("two", "package p; public class A { int two; }");
        Path host = zip(Map.of("META-INF/harrier/p/A.class", bytes(two, "p/A")));

        ClassPath path = open(one, host);

        assertArrayEquals(bytes(two, "p/A"), path.find("p.A"));
        assertEquals(Set.of("p.A"), path.all());
    }

    @Test
    public void whatWasReadOnceStaysTheSame() throws IOException {
        Path library = library("one", "class A {}");
        ClassPath path = open(library);
        byte[] before = path.find("A");

        library("one", "class A { int more; }");

        assertArrayEquals(before, path.find("A"));
    }

    @Test
    public void ofAMultiReleaseJarTheNewestVersionThatRunsHereCounts() throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMulti-Release: true\n\n".getBytes());
        for (int version : new int[] {0, 9, 11, HERE, HERE + 1}) {
            Path classes = library("v" + version, "class A { int v" + version + "; }");
            entries.put((version == 0 ? "" : "META-INF/versions/" + version + "/") + "A.class", bytes(classes, "A"));
        }
        entries.put("META-INF/versions/11/Added.class", bytes(library("added", "class Added {}"), "Added"));

        ClassPath path = open(zip(entries));

        assertArrayEquals(bytes(folder.resolve("v" + HERE), "A"), path.find("A"));
        assertEquals(Set.of("A", "Added"), path.all());
        assertEquals("as a program", Set.of("A", "Added"), UserProgram.read(zip(entries)).own());

        entries.put("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n\n".getBytes());
        path = open(zip(entries));
        assertArrayEquals("without being declared", bytes(folder.resolve("v0"), "A"), path.find("A"));
        assertEquals(Set.of("A"), path.all());
    }

    @Test
    public void aProgramGetsTheClassesThatItRefersToAndNoOthers() {
        Path library = library("lib", "package lib; public interface Face {}", "package lib; class Hidden implements Face {}",
            "package lib; public class Maker { public static Face make() { return new Hidden(); } }",
            "package lib; public class Other {}");

        ProgramClasses program = program(library, "class One { Object o = lib.Maker.make(); }");

        assertEquals(Set.of("One", "lib.Maker", "lib.Face", "lib.Hidden"), program.bytes().keySet());
        assertEquals("they are not the program's own", Set.of("One"), program.own());
        assertEquals("what is found by name is there", true, program.find("lib.Other") != null);
        assertNull(program.find("lib.Missing"));
    }

    @Test
    public void codeThatFindsClassesByNameMayFindAny() {
        Path library = library("lib", "package lib; public class Other {}");

        for (String code : List.of("Class.forName(\"lib.Other\")", "getClass().getClassLoader().loadClass(\"lib.Other\")",
                "java.util.ServiceLoader.load(Runnable.class)", "java.util.ResourceBundle.getBundle(\"lib.Other\")",
                "new java.io.ObjectInputStream(null).readObject()")) {
            ProgramClasses program = program(library, "class One { Object o() throws Exception { return " + code + "; } }");
            assertTrue(code, program.bytes().containsKey("lib.Other"));
        }
    }

    @Test
    public void classesOfTheJdkAndOfHarriersApiAreNotTakenFromThere() throws IOException {
        Path library = Files.createDirectories(folder.resolve("lib"));
        byte[] other = bytes(library("other", "class A {}"), "A");
        for (String name : List.of("java/util/logging/Logger", "harrier/Actor")) {
            Path file = library.resolve(name + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, other);
        }

        ProgramClasses program =
            program(library, "class One extends harrier.Actor { Object o = java.util.logging.Logger.getGlobal(); }");

        assertEquals(Set.of("One"), program.bytes().keySet());
    }

    @Test
    public void theProgramGoesBeforeTheClassPath() {
        Path library = library("lib", "public class One { public int theirs; }", "public class Two { One one; }");
        UserProgram.write(folder, "program/One.java", "class One { int ours; Object two = new Two(); }");

        ProgramClasses program = ProgramFiles.read(folder.resolve("program/One.java"), open(library));

        assertEquals(Set.of("One", "Two"), program.bytes().keySet());
        assertFalse(Arrays.equals(bytes(library, "One"), program.bytes().get("One")));
    }

    /** Kotlin's compiler, for one, makes classes of such names. */
    @Test
    public void namesOfClassesMayHaveAnyCharacters() throws IOException {
        for (String name : List.of("lib/a b", "lib/{a}", "lib/a%b", "lib/(a)", "lib/\u00e9")) {
            Path library = library("lib", "package lib; public class Lib {}");
            ClassWriter odd = new ClassWriter(0);
            odd.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
            Files.write(library.resolve(name + ".class"), odd.toByteArray());

            assertEquals(name, Set.of("One", "lib.Lib"), program(library, "import lib.*; class One { Object lib = new Lib(); }").bytes().keySet());
        }
    }

    @Test
    public void moduleDescriptorsAreIgnoredWithARemark() throws IOException {
        Path library = library("lib", "package lib; public class Lib {}");
        Files.write(library.resolve("module-info.class"), new byte[3]);
        Path jar = jar(library);
        UserProgram.write(folder, "program/module-info.java", "module program {}");
        UserProgram.write(folder, "program/One.java", "class One extends lib.Lib {}");

        ProgramClasses program = ProgramFiles.read(folder.resolve("program"), open(jar));

        assertEquals(Set.of("One", "lib.Lib"), program.bytes().keySet());
        String text = "module descriptors are ignored, as by java -cp: ";
        assertEquals(List.of(text + folder + "/program/module-info.java", text + jar), program.remarks());
        assertEquals("as a program", List.of(text + jar), UserProgram.read(jar).remarks());
        assertEquals("as a program", List.of(text + library + "/module-info.class"),
            UserProgram.read(library).remarks());
    }

    @Test
    public void aClassOfANewerJavaSaysWhichJavaIsNeeded() throws IOException {
        Path library = library("lib", "package lib; public class Lib {}");
        byte[] newer = bytes(library, "lib/Lib");
        newer[7] = (byte) (HERE + 1 + 44);
        Files.write(library.resolve("lib/Lib.class"), newer);
        String message = " is compiled for Java " + (HERE + 1) + ", and harrier runs Java " + HERE + ": name a JDK "
            + (HERE + 1) + " with --java-home, or compile it with --release " + HERE;

        Path jar = jar(library);
        assertFails(jar + "!lib/Lib.class" + message, () -> program(jar, "class One extends lib.Lib {}"));
        assertEquals("nothing needs it", Set.of("One"), program(jar, "class One {}").bytes().keySet());
    }

    @Test
    public void previewFeaturesAreOff() throws IOException {
        Path library = library("lib", "class Lib {}");
        byte[] preview = bytes(library, "Lib");
        preview[4] = preview[5] = (byte) 0xFF;
        Files.write(library.resolve("Lib.class"), preview);

        assertFails(library + "/Lib.class uses preview features of Java " + (preview[7] - 44)
            + ", which are off: compile it without --enable-preview", () -> UserProgram.read(library));
    }

    @Test
    public void whatIsDamagedIsOneLine() throws IOException {
        Path library = library("lib", "package lib; public class Lib {}");
        Path jar = jar(library);
        byte[] whole = Files.readAllBytes(jar);

        // Nothing of it is compressed, so any content can be read.
        byte[] changed = whole.clone();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] == (byte) 0xCA && changed[i + 1] == (byte) 0xFE && changed[i + 2] == (byte) 0xBA) {
                changed[i + 20]++;
            }
        }
        Path damaged = Files.write(folder.resolve("damaged.jar"), changed);
        assertFails(damaged + " cannot be read as a jar: the content of lib/Lib.class is damaged",
            () -> open(damaged).find("lib.Lib"));

        Files.write(library.resolve("lib/Lib.class"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertFails(library + "/lib/Lib.class is no class file that can be read (it does not begin as one): compile it again",
            () -> open(library).find("lib.Lib"));
        assertFails(folder + "/nowhere (from --classpath) does not exist", () -> open(folder.resolve("nowhere")));
    }

    private Path library(String name, String... texts) {
        for (String text : texts) {
            UserProgram.classes(folder.resolve(name), text, "--release", "17");
        }
        return folder.resolve(name);
    }

    private ProgramClasses program(Path library, String text) {
        return ProgramFiles.read(UserProgram.write(folder, "program/One.java", text), open(library));
    }

    private static ClassPath open(Path... entries) {
        return ClassPath.open(Arrays.stream(entries).map(Path::toString).toList());
    }

    private static byte[] bytes(Path folder, String name) {
        try {
            return Files.readAllBytes(folder.resolve(name + ".class"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path jar(Path classes) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (var files = Files.walk(classes)) {
            for (Path file : new TreeSet<>(files.filter(Files::isRegularFile).toList())) {
                entries.put(classes.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return zip(entries);
    }

    private Path zip(Map<String, byte[]> entries) throws IOException {
        return UserProgram.jar(folder.resolve("a" + System.nanoTime() + ".jar"), entries);
    }

    private static String failure(ThrowingRunnable action) {
        return assertThrows(UsageException.class, action).getMessage();
    }

    private static void assertFails(String message, ThrowingRunnable action) {
        assertEquals(message, failure(action));
    }
}
