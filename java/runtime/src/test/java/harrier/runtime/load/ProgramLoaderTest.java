package harrier.runtime.load;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.Actor;
import harrier.runtime.UserProgram;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.rules.Guard;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.Test;

public class ProgramLoaderTest {
    @Test
    public void theProgramDoesNotSeeTheRuntimeNorWhatItBringsAlong() {
        UserProgram program = new UserProgram("class A {}");
        for (String hidden : new String[] {"harrier.runtime.Failure", "harrier.runtime.load.ProgramLoader",
                "org.objectweb.asm.ClassReader", "org.junit.Test"}) {
            assertThrows(ClassNotFoundException.class, () -> Class.forName(hidden, true, program.loader()));
        }
    }

    @Test
    public void theProgramSharesTheApiWithTheRuntime() {
        UserProgram program = new UserProgram("class A extends Actor {}");

        assertSame(Actor.class, program.type("A").getSuperclass());
        assertSame(program.loader(), program.type("A").getClassLoader());
    }

    @Test
    public void theProgramSeesAllModulesOfTheJdk() {
        UserProgram program = new UserProgram("class A { java.sql.Timestamp t; }");

        assertEquals("java.sql.Timestamp", program.type("java.sql.Timestamp").getName());
    }

    /** Asked in another VM, because this one may have assertions on for every loader. */
    @Test
    public void assertionsAreOn() throws IOException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream().filter(a -> a.startsWith("--add-exports")).forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), AssertingMain.class.getName()));
        Process java = new ProcessBuilder(command).redirectErrorStream(true).start();

        assertEquals("java.lang.AssertionError: one is less\n", new String(java.getInputStream().readAllBytes()));
    }

    static final class AssertingMain {
        public static void main(String[] arguments) throws Exception {
            assert arguments == null : "this VM was to have no assertions";
            UserProgram program = new UserProgram("""
                class A implements java.util.concurrent.Callable<Object> {
                    public Object call() { assert 1 > 2 : "one is less"; return null; }
                }""");
            try {
                ((Callable<?>) program.make("A")).call();
                System.out.println("assertions are off");
            } catch (AssertionError e) {
                System.out.println(e);
            }
        }
    }

    @Test
    public void knowsWhatWasLoadedByTheBytesThatWereGiven() {
        ProgramClasses classes = UserProgram.compile("class A { void f() { System.exit(1); } } class B extends A {}"
            + " class Unused {}");
        ProgramLoader loader = UserProgram.loader(classes);
        assertEquals(Set.of(), loader.loaded().keySet());

        load(loader, "B");

        Map<String, byte[]> loaded = loader.loaded();
        assertEquals("[A, B]", loaded.keySet().toString());
        assertArrayEquals("as given, not as rewritten", classes.bytes().get("A"), loaded.get("A"));
    }

    @Test
    public void twoLoadersShareNoStaticState() {
        ProgramClasses classes = UserProgram.compile("class A {}");

        assertNotSame(load(UserProgram.loader(classes), "A"), load(UserProgram.loader(classes), "A"));
    }

    @Test
    public void aClassThatCannotBeRewrittenIsNotLoaded() {
        byte[] whole = UserProgram.compile("class A { int n = 5; }").bytes().get("A");
        ProgramLoader loader = UserProgram.loader(ProgramClasses.of(
            Map.of("A", Arrays.copyOf(whole, whole.length - 30))));

        RuleException failure = assertThrows(RuleException.class, () -> load(loader, "A"));
        assertTrue(failure.getMessage(), failure.getMessage().startsWith("class A cannot be instrumented: "));
        Guard.takeRefusal();
    }

    private static Class<?> load(ProgramLoader loader, String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
