package harrier.runtime.load.compile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import harrier.runtime.UserProgram;
import harrier.runtime.cache.KeptFiles;
import harrier.runtime.failure.UsageException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class CompiledClassesTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path program;
    private Path kept;

    @Before
    public void prepare() throws IOException {
        UserProgram.prepare();
        program = temporary.newFolder("around", "program").toPath();
        kept = temporary.getRoot().toPath().resolve("kept").resolve("classes");
        System.setProperty(KeptFiles.FOLDER, kept.toString());
        prepareSources();
    }

    private void prepareSources() {
        UserProgram.write(program, "One.java", "class One { Two two; }");
        UserProgram.write(program, "Two.java", "class Two { class Inner {} }");
    }

    @After
    public void keepNothing() {
        System.clearProperty(KeptFiles.FOLDER);
    }

    @Test
    public void unchangedSourcesAreNotCompiledAgain() throws IOException {
        ProgramClasses first = UserProgram.read(program);
        Object file = identity(entry());

        ProgramClasses second = UserProgram.read(program);

        assertSame(first, second);
        assertEquals(file, identity(entry()));
    }

    @Test
    public void whatCameAlongIsStillNotTheProgramsOwn() throws IOException {
        Path one = program.resolve("One.java");
        ProgramClasses first = UserProgram.read(one);
        Object file = identity(entry());

        ProgramClasses second = UserProgram.read(one);

        assertEquals(Set.of("One"), second.own());
        assertSame(first, second);
        assertEquals(file, identity(entry()));
    }

    @Test
    public void aFurtherSourceIsCompiled() {
        UserProgram.read(program);

        UserProgram.write(program, "Three.java", "class Three {}");

        assertEquals(Set.of("One", "Two", "Two$Inner", "Three"), UserProgram.read(program).own());
    }

    @Test
    public void aChangedNeighbourInAPackageIsCompiled() {
        UserProgram.write(program, "Three.java", "class Three { side.Side side; }");
        UserProgram.write(program.getParent(), "side/Side.java", "package side; public class Side {}");
        UserProgram.read(program.resolve("Three.java"));

        UserProgram.write(program.getParent(), "side/Side.java", "package side; public class Side { class Other {} }");

        assertEquals(Set.of("Three", "side.Side", "side.Side$Other"),
            UserProgram.read(program.resolve("Three.java")).bytes().keySet());
    }

    @Test
    public void aSourceThatTakesTheNeighboursPlaceIsSeen() {
        UserProgram.write(program, "Three.java", "class Three { Side side; }");
        UserProgram.write(program.getParent(), "Side.java", "class Side { class Far {} }");
        UserProgram.read(program.resolve("Three.java"));

        UserProgram.write(program, "Side.java", "class Side { class Near {} }");

        assertEquals(Set.of("Three", "Side", "Side$Near"),
            UserProgram.read(program.resolve("Three.java")).bytes().keySet());
    }

    @Test
    public void aProcessorThatCameLaterIsSeen() throws IOException {
        Path library = UserProgram.classes(temporary.newFolder("library").toPath(), "package lib; public @interface Mark {}");
        UserProgram.write(program, "One.java", "@lib.Mark class One {}");
        read(library);
        Path services = Files.createDirectories(library.resolve("META-INF/services"));
        Files.writeString(services.resolve("javax.annotation.processing.Processor"), "lib.Processor");

        assertThrows(UsageException.class, () -> read(library));
    }

    @Test
    public void aChangedClassPathIsSeen() throws IOException {
        Path library = UserProgram.classes(temporary.newFolder("library").toPath(), "package lib; public class Lib {"
            + " public static final int N = 1; }");
        UserProgram.write(program, "One.java", "class One { int n = lib.Lib.N; }");
        ProgramClasses first = read(library);
        Object file = identity(entry());

        assertSame(first, read(library));
        assertEquals("not compiled again", file, identity(entry()));

        // The number is compiled into the program.
        UserProgram.classes(library, "package lib; public class Lib { public static final int N = 2; }");
        assertFalse(Arrays.equals(first.bytes().get("One"), read(library).bytes().get("One")));

        // A class that hides nothing yet could hide one that the program means.
        UserProgram.write(program, "One.java", "import lib.*; import java.util.*; class One { List<String> l; }");
        read(library);
        UserProgram.classes(library, "package lib; public class List {}");
        assertThrows(UsageException.class, () -> read(library));
    }

    private ProgramClasses read(Path library) {
        return ProgramFiles.read(program, ClassPath.open(List.of(library.toString())));
    }

    @Test
    public void tornFilesAreReplaced() throws IOException {
        ProgramClasses first = UserProgram.read(program);
        byte[] whole = Files.readAllBytes(entry());
        for (int length : new int[] {0, 5, 8, 12, whole.length / 2, whole.length - 1}) {
            Files.write(entry(), Arrays.copyOf(whole, length));
            assertSame(first, UserProgram.read(program));
            assertEquals(whole.length, Files.size(entry()));
        }
        for (int at = 0; at < whole.length; at += 97) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            Files.write(entry(), changed);
            assertSame(first, UserProgram.read(program));
        }
    }

    @Test
    public void withoutAFolderNothingIsKept() {
        System.clearProperty(KeptFiles.FOLDER);

        assertSame(UserProgram.read(program), UserProgram.read(program));
    }

    @Test
    public void whatTheCompilerIsToldCounts() {
        ProgramClasses classes = ProgramClasses.of(Map.of("One", new byte[] {1}));
        new CompiledClasses(List.of("-g"), ClassPath.NONE).keep(classes, new InputsSeen(ClassPath.NONE));

        assertSame(classes, new CompiledClasses(List.of("-g"), ClassPath.NONE).find());
        assertNull(new CompiledClasses(List.of("-g:none"), ClassPath.NONE).find());
    }

    @Test
    public void twoCompilationsUnderOneNameAreToldApart() throws IOException {
        ProgramClasses classes = ProgramClasses.of(Map.of("One", new byte[] {1}));
        new CompiledClasses(List.of("one"), ClassPath.NONE).keep(classes, new InputsSeen(ClassPath.NONE));
        byte[] one = Files.readAllBytes(entry());
        Files.delete(entry());
        new CompiledClasses(List.of("two"), ClassPath.NONE).keep(classes, new InputsSeen(ClassPath.NONE));

        Files.write(entry(), one);

        assertNull(new CompiledClasses(List.of("two"), ClassPath.NONE).find());
    }

    @Test
    public void sourcesThatChangeMeanwhileAreNotKept() {
        InputsSeen seen = new InputsSeen(ClassPath.NONE);
        seen.look(program);
        UserProgram.write(program, "Two.java", "class Two {}");

        // Whatever the compiler read: the classes of these sources, or of those before.
        new CompiledClasses(List.of(), ClassPath.NONE).keep(ProgramClasses.of(Map.of()), seen);
        prepareSources();

        assertNull(new CompiledClasses(List.of(), ClassPath.NONE).find());
    }

    @Test
    public void onlyTheNewestAreKept() throws IOException {
        Files.createDirectories(kept);
        for (int i = 0; i < KeptFiles.KEPT + 5; i++) {
            Path old = Files.createFile(kept.resolve("old" + i));
            old.toFile().setLastModified(1000L * (i + 1));
        }

        UserProgram.read(program);

        assertEquals(KeptFiles.KEPT, files().length);
        assertEquals(false, Files.exists(kept.resolve("old5")));
        assertEquals(true, Files.exists(kept.resolve("old6")));
    }

    private static void assertSame(ProgramClasses wanted, ProgramClasses got) {
        assertEquals(wanted.own(), got.own());
        assertEquals(wanted.bytes().keySet(), got.bytes().keySet());
        wanted.bytes().forEach((name, bytes) -> assertEquals(name, Arrays.toString(bytes), Arrays.toString(got.bytes().get(name))));
    }

    private Path entry() throws IOException {
        try (Stream<Path> files = Files.list(kept)) {
            List<Path> all = files.toList();
            assertEquals("there is one compilation", 1, all.size());
            return all.get(0);
        }
    }

    /** Which file this is: another one with the same name has another identity. */
    private static Object identity(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        assertNotEquals(null, key);
        return key;
    }

    private File[] files() {
        File[] files = kept.toFile().listFiles();
        return files == null ? new File[0] : files;
    }
}
