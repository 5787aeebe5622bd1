package harrier.runtime.load.compile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ProgramFilesTest {
    private static final String PING = "package ping; import harrier.*; public class Ping extends Actor {}";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder;

    @Before
    public void prepare() {
        UserProgram.prepare();
        folder = temporary.getRoot().toPath();
    }

    @Test
    public void readsASourceFile() {
        Path file = UserProgram.write(folder, "One.java", "class One { record Inner() {} } class Two {}");

        ProgramClasses program = UserProgram.read(file);

        assertEquals(Set.of("One", "One$Inner", "Two"), program.bytes().keySet());
        assertEquals(program.bytes().keySet(), program.own());
    }

    @Test
    public void aSourceFileByAnotherPathIsStillTheProgramsOwn() throws IOException {
        UserProgram.write(folder, "One.java", "class One {}");
        Files.createDirectory(folder.resolve("sub"));

        assertEquals(Set.of("One"), UserProgram.read(folder.resolve("sub/../One.java")).own());
        assertEquals(Set.of("One"), UserProgram.read(folder.resolve("./One.java")).own());
        assertEquals(Set.of("One"), UserProgram.read(folder.resolve("sub/..")).own());
    }

    @Test
    public void aSourceFileByARelativePathIsStillTheProgramsOwn() {
        Path file = UserProgram.write(folder, "One.java", "class One {}");

        Path relative = Path.of("").toAbsolutePath().relativize(file);

        assertEquals(Set.of("One"), UserProgram.read(relative).own());
    }

    @Test
    public void aSourceFileFindsWhatItRefersToBesideIt() {
        UserProgram.write(folder, "Two.java", "class Two {}");
        Path file = UserProgram.write(folder, "One.java", "class One extends Two {}");

        ProgramClasses program = UserProgram.read(file);

        assertEquals(Set.of("One", "Two"), program.bytes().keySet());
        assertEquals(Set.of("One"), program.own());
    }

    @Test
    public void readsASourceFolder() {
        UserProgram.write(folder, "ping/Ping.java", PING);
        UserProgram.write(folder, "pong/Pong.java", "package pong; class Pong { ping.Ping ping; }");

        assertEquals(Set.of("ping.Ping", "pong.Pong"), UserProgram.read(folder).own());
    }

    @Test
    public void aFolderFindsTheNeighbourPackage() {
        UserProgram.write(folder, "ping/Ping.java", PING);
        UserProgram.write(folder, "pong/Pong.java", "package pong; class Pong extends ping.Ping {}");

        ProgramClasses program = UserProgram.read(folder.resolve("pong"));

        assertEquals(Set.of("ping.Ping", "pong.Pong"), program.bytes().keySet());
        assertEquals("only what was asked for is the program's own", Set.of("pong.Pong"), program.own());
    }

    @Test
    public void readsAClassFolder() throws IOException {
        Path classes = classFolder();

        ProgramClasses program = UserProgram.read(classes);

        assertEquals(Set.of("A", "A$B"), program.own());
    }

    @Test
    public void readsAJar() throws IOException {
        Map<String, byte[]> classes = UserProgram.compile("class A { class B {} }").bytes();
        Path jar = jar(Map.of("A.class", classes.get("A"), "A$B.class", classes.get("A$B"),
            "META-INF/versions/21/A.class", new byte[3], "module-info.class", new byte[3], "notes.txt", new byte[3]));

        assertEquals(Set.of("A", "A$B"), UserProgram.read(jar).own());
    }

    @Test
    public void harriersApiInAJarIsNotTheProgram() throws IOException {
        Map<String, byte[]> classes = UserProgram.compile("class A {}").bytes();
        byte[] api = harrier.Actor.class.getResourceAsStream("Actor.class").readAllBytes();

        assertEquals(Set.of("A"), UserProgram.read(jar(Map.of("A.class", classes.get("A"), "harrier/Actor.class", api))).own());
    }

    @Test
    public void aJarWhoseEntriesAreCorruptIsOneLine() throws IOException {
        Path jar = jar(Map.of("A.class", UserProgram.compile("class A {}").bytes().get("A")));
        byte[] bytes = Files.readAllBytes(jar);
        Arrays.fill(bytes, 40, 80, (byte) 0xFF);
        Files.write(jar, bytes);

        assertTrue(failure(jar).getMessage().startsWith(jar + " cannot be read as a jar: "));
    }

    @Test
    public void aJarWithoutClassesIsOneLine() throws IOException {
        Path jar = jar(Map.of("notes.txt", new byte[3]));

        assertFails(jar, jar + " has no classes");
    }

    @Test
    public void aCorruptClassIsOneLineWithItsPath() throws IOException {
        Path classes = classFolder();
        Path b = classes.resolve("A$B.class");
        byte[] whole = Files.readAllBytes(b);
        for (int length : new int[] {0, 3, 9, 40}) {
            Files.write(b, Arrays.copyOf(whole, length));
            assertTrue(failure(classes).getMessage().startsWith(b + " is no class file that can be read ("));
        }
    }

    @Test
    public void aCorruptClassInAJarIsOneLineWithItsPath() throws IOException {
        Path jar = jar(Map.of("p/A.class", new byte[] {1, 2, 3}));

        assertTrue(failure(jar).getMessage().startsWith(jar + "!p/A.class is no class file that can be read ("));
    }

    @Test
    public void whatIsPreparedIsReadAsItIsThen() {
        Path file = UserProgram.write(folder, "One.java", "class One {\n    int n = true;\n}\n");
        ProgramFiles.prepare(file, ClassPath.NONE);
        ProgramFiles.prepare(folder.resolve("missing.java"), ClassPath.NONE);
        UserProgram.write(folder, "One.java", "class One { class Two {} }");
        ProgramFiles.prepare(folder, ClassPath.NONE);

        assertEquals(Set.of("One", "One$Two"), UserProgram.read(file).own());
    }

    @Test
    public void aSourceWithoutItsLibrarySaysHowToNameIt() {
        Path file = UserProgram.write(folder, "One.java", "import io.raft.Node;\nclass One { Node n; }\n");

        assertEquals(file + " does not compile, as package io.raft is not there: name the libraries that it needs with --classpath:",
            failure(file).getMessage());
    }

    @Test
    public void processorsOfAnnotationsAreNotRunAndTheWayAroundIsTold() throws IOException {
        ClassPath lib = processors("lib", "# generates\nlib.Processor # later\n", "");
        String lost = folder.resolve("lib") + " has some): if it needs what these generate, ";

        assertUnprocessed("class One { Object o = new Two(); }", lib, "does not compile", lost);
        String used = "@lib.Mark in " + folder.resolve("One.java") + ":2 is for a processor of " + folder.resolve("lib") + "): ";
        assertUnprocessed("class One {\n@lib.Mark Two two; }", lib, "does not compile", used + "if it needs what these generate, ");
        for (String source : List.of("@Deprecated\n@lib.Mark class One {}", "class One { Runnable r = () -> {\n@lib.Mark int n; }; }")) {
            assertUnprocessed(source, lib, "has annotations that may change it", used);
        }
        assertEquals(Set.of("One"), read("@Deprecated class One { Class<?> mark = lib.Mark.class; }", lib).own());
    }

    @Test
    public void processorsSayWhichAnnotationsAreTheirs() throws IOException {
        String says = "@javax.annotation.processing.SupportedAnnotationTypes(%s) class Processor {}";
        for (String all : List.of("\"*\"", "\"lib.*\"", "{\"lib.Other\", \"m/lib.Mark.Inner\"}")) {
            ClassPath lib = processors(all.replaceAll("\\W", "_"), "lib.Processor", String.format(says, all));
            UsageException failure = assertThrows(all, UsageException.class, () -> read("@lib.Mark.Inner class One {}", lib));
            assertTrue(failure.getMessage().contains("(@lib.Mark.Inner in "));
        }
        ClassPath lib = processors("others", "lib.Processor", String.format(says, "\"lib.Marks\""));
        assertEquals(Set.of("One"), read("@lib.Mark class One {}", lib).own());
    }

    @Test
    public void aProcessorThatMayBeMissingIsTold() throws IOException {
        ClassPath lib = processors("lib", "", "");

        assertUnprocessed("class One { Object o = new Auto_Two(); \n@lib.Mark class Two {} }", lib, "does not compile",
            "@lib.Mark in " + folder.resolve("One.java") + ":2 may be for one): if it needs what these generate, ");
        UsageException failure = assertThrows(UsageException.class,
            () -> read("class One { Object o = new Three(); \n@lib.Mark class Two {} }", lib));
        assertEquals(folder.resolve("One.java") + " does not compile:", failure.getMessage());
        assertEquals(Set.of("One"), read("@lib.Mark class One {}", lib).own());
    }

    private ProgramClasses read(String source, ClassPath path) {
        return ProgramFiles.read(UserProgram.write(folder, "One.java", source), path);
    }

    private void assertUnprocessed(String source, ClassPath path, String what, String why) {
        String message = assertThrows(UsageException.class, () -> read(source, path)).getMessage();
        assertEquals(folder.resolve("One.java") + " " + what + ", and harrier runs no annotation processors (" + why
            + "compile it with its own build, and check the folder or jar of the classes", message.replaceFirst(":$", ""));
    }

    /** A folder with an annotation, and processors that are registered there. */
    private ClassPath processors(String name, String registered, String processor) throws IOException {
        Path lib = UserProgram.classes(Files.createDirectories(folder.resolve(name)),
            "package lib; public @interface Mark { @interface Inner {} } " + processor);
        Path services = Files.createDirectories(lib.resolve("META-INF/services"));
        Files.writeString(services.resolve("javax.annotation.processing.Processor"), registered);
        return ClassPath.open(List.of(lib.toString()));
    }

    @Test
    public void classesThatHideOthersAreRemarked() throws IOException {
        Path lib = Files.createDirectories(folder.resolve("lib"));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        for (String name : List.of("A", "B", "Same")) {
            byte[] one = UserProgram.compile("class " + name + " {}").bytes().get(name);
            Files.write(lib.resolve(name + ".class"), one);
            byte[] other = UserProgram.compile("class " + name + " { int n; }").bytes().get(name);
            Files.write(classes.resolve(name + ".class"), name.equals("Same") ? one : other);
        }
        ClassPath path = ClassPath.open(List.of(lib.toString()));

        assertEquals(List.of("the program's own A and one other hide classes of these names on the class path"),
            ProgramFiles.read(classes, path).remarks());
    }

    @Test
    public void sourcesDoNotSeeTheRuntime() {
        Path file = UserProgram.write(folder, "One.java", "class One { harrier.runtime.Failure f; }");

        assertEquals(file + " does not compile:", failure(file).getMessage());
    }

    private Path classFolder() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        for (Map.Entry<String, byte[]> c : UserProgram.compile("class A { class B {} }").bytes().entrySet()) {
            Files.write(classes.resolve(c.getKey() + ".class"), c.getValue());
        }
        return classes;
    }

    private Path jar(Map<String, byte[]> entries) throws IOException {
        return UserProgram.jar(folder.resolve("program.jar"), entries);
    }

    private static UsageException failure(Path path) {
        return assertThrows(UsageException.class, () -> UserProgram.read(path));
    }

    private static void assertFails(Path path, String message) {
        assertEquals(message, failure(path).getMessage());
    }
}
