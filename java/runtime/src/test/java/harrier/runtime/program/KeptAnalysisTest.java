package harrier.runtime.program;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;

import harrier.Scenario;
import harrier.runtime.Examples;
import harrier.runtime.UserProgram;
import harrier.runtime.analysis.Decomposition;
import harrier.runtime.analysis.Decomposition.Settings;
import harrier.runtime.load.compile.ProgramClasses;
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

public class KeptAnalysisTest {
    private static final String PROGRAM = """
        record Go(int n) {}
        class A extends Actor { int n, unread; @Handler void on(Go m) { n = m.n(); unread++; } }
        class S extends Scenario {
            protected void setUp() { send(create("a", new A()), new Go(1)); }
            @Invariant boolean small() { return actors(A.class).allMatch(a -> a.n < 2); }
        }
        """;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Before
    public void keep() {
        UserProgram.prepare();
        System.setProperty("harrier.classes", temporary.getRoot().toString());
    }

    @After
    public void keepNothing() {
        System.clearProperty("harrier.classes");
    }

    @Test
    public void whatWasFoundIsFoundAgain() throws IOException {
        for (String example : List.of("paxos-quorum", "register", "zab")) {
            ProgramClasses program = UserProgram.read(Examples.folder().resolve(example));
            Decomposition first = analyse(program);
            Object written = Files.readAttributes(file(), BasicFileAttributes.class).fileKey();

            Decomposition second = analyse(program);

            assertEquals(first, second);
            assertNotSame(first, second);
            assertEquals(written, Files.readAttributes(file(), BasicFileAttributes.class).fileKey());
            Files.delete(file());
        }
    }

    @Test
    public void aChangedClassIsAnalysedAgain() throws IOException {
        analyse(UserProgram.compile(PROGRAM));
        byte[] kept = Files.readAllBytes(file());
        ProgramClasses changed = UserProgram.compile(PROGRAM.replace("a.n < 2", "a.n + a.unread < 2"));

        assertEquals(Decomposition.of(changed, "S", Settings.STRICT), analyse(changed));
        assertFalse(Arrays.equals(kept, Files.readAllBytes(file())));
    }

    @Test
    public void aChangedClassOfALibraryIsSeen() throws IOException {
        Map<String, byte[]> library = UserProgram.compile(PROGRAM).bytes();
        analyse(new ProgramClasses(library, Set.of("S")));
        ProgramClasses changed = new ProgramClasses(UserProgram.compile(PROGRAM.replace("unread++", "n += unread")).bytes(), Set.of("S"));

        assertEquals(Decomposition.of(changed, "S", Settings.STRICT), analyse(changed));
    }

    @Test
    public void otherRulesHaveAFileOfTheirOwn() {
        ProgramClasses program = UserProgram.compile(PROGRAM);
        Decomposition plain = analyse(program);

        for (Settings others : List.of(new Settings(true, false, false, false, true, false, false), new Settings(false, false, true, false, true, false, false),
                new Settings(false, false, false, true, true, false, false), new Settings(false, false, false, false, false, false, false))) {
            assertEquals(Decomposition.of(program, "S", others), KeptAnalysis.of(program, "S", others));
        }
        assertEquals(plain, analyse(program));
    }

    @Test
    public void aDamagedFileIsAsGoodAsNone() throws IOException {
        ProgramClasses program = UserProgram.compile(PROGRAM);
        Decomposition first = analyse(program);
        Path file = file();
        byte[] whole = Files.readAllBytes(file);
        whole[whole.length / 2] ^= 1;
        Files.write(file, whole);

        assertEquals(first, analyse(program));
        assertFalse(Arrays.equals(whole, Files.readAllBytes(file)));
    }

    private static String scenario(ProgramClasses program) {
        return program.concreteSubclasses(Scenario.class).get(0);
    }

    private static Decomposition analyse(ProgramClasses program) {
        return KeptAnalysis.of(program, scenario(program), Settings.STRICT);
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(temporary.getRoot().toPath())) {
            return files.filter(f -> f.getFileName().toString().startsWith("analysis-")).findFirst().orElseThrow();
        }
    }
}
