package harrier.runtime.load;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import harrier.host.Hooks;
import harrier.runtime.UserProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.After;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceClassVisitor;

/** Each program is run: if a call were not replaced, it would end the tests. */
public class ExitRewriteTest {
    @After
    public void forget() {
        Hooks.takeRefusal();
    }

    @Test
    public void refusesSystemExit() throws Exception {
        assertRefused("System.exit(3);", "Program.call calls System.exit (Program.java:1)");
    }

    @Test
    public void refusesRuntimeExit() throws Exception {
        assertRefused("Runtime.getRuntime().exit(3);", "Program.call calls Runtime.exit (Program.java:1)");
    }

    @Test
    public void refusesRuntimeHalt() throws Exception {
        assertRefused("Runtime.getRuntime().halt(3);", "Program.call calls Runtime.exit (Program.java:1)");
    }

    @Test
    public void refusesAReferenceToSystemExit() throws Exception {
        assertRefused("java.util.function.IntConsumer f = System::exit; f.accept(3);",
            "Program.lambda$call$ref0 calls System.exit (Program.java:1)");
    }

    @Test
    public void refusesAReferenceToExitOfOneRuntime() throws Exception {
        assertRefused("java.util.function.IntConsumer f = Runtime.getRuntime()::exit; f.accept(3);",
            "Program.lambda$call$ref0 calls Runtime.exit (Program.java:1)");
    }

    @Test
    public void refusesAReferenceToHaltOfAnyRuntime() throws Exception {
        assertRefused("java.util.function.BiConsumer<Runtime, Integer> f = Runtime::halt;"
            + " f.accept(Runtime.getRuntime(), 3);", "Program.lambda$call$ref0 calls Runtime.exit (Program.java:1)");
    }

    @Test
    public void refusesACallInsideALambda() throws Exception {
        assertRefused("Runnable r = () -> System.exit(3); r.run();",
            "Program.lambda$call$0 calls System.exit (Program.java:1)");
    }

    @Test
    public void aRefusalThatIsCaughtIsStillKnown() throws Exception {
        UserProgram program = program("try { System.exit(3); } catch (Throwable e) { return \"caught\"; }");

        assertEquals("caught", call(program));
        assertEquals("Program.call calls System.exit (Program.java:1)", Hooks.takeRefusal().getMessage());
        assertNull("it is told once", Hooks.takeRefusal());
    }

    @Test
    public void aMethodCalledExitOfAnotherClassIsLeftAlone() throws Exception {
        UserProgram program = new UserProgram("""
            class System { static String exit(int n) { return "own exit " + n; } }
            class Program implements java.util.concurrent.Callable<Object> {
                public Object call() { return System.exit(3); }
            }""");

        assertEquals("own exit 3", call(program));
    }

    @Test
    public void rewrittenClassesAreValid() {
        for (byte[] bytes : exits().bytes().values()) {
            StringWriter problems = new StringWriter();
            CheckClassAdapter.verify(new ClassReader(ExitRewrite.rewrite(bytes)), false, new PrintWriter(problems));
            assertEquals("", problems.toString());
        }
    }

    @Test
    public void nothingButTheCallsIsChanged() {
        for (Map.Entry<String, byte[]> c : exits().bytes().entrySet()) {
            List<String> before = text(c.getValue());
            List<String> after = text(ExitRewrite.rewrite(c.getValue()));
            assertEquals(c.getKey(), before.size(), after.size());
            for (int i = 0; i < before.size(); i++) {
                if (!after.get(i).contains("harrier/host/Hooks.exit") && !after.get(i).contains("// handle kind")) {
                    assertEquals(before.get(i), after.get(i));
                }
            }
            assertFalse(after.stream().anyMatch(l -> l.contains("System.exit") || l.contains("Runtime.halt")));
        }
    }

    @Test
    public void aClassWithoutSuchCallsKeepsItsBytes() {
        byte[] bytes = UserProgram.compile("""
            class Plain<T extends Comparable<T>> {
                int sum(List<Integer> l) {
                    try { return l.stream().mapToInt(i -> i).sum(); } finally { l.clear(); }
                }
            }""").bytes().get("Plain");

        assertEquals(text(bytes), text(ExitRewrite.rewrite(bytes)));
    }

    private static ProgramClasses exits() {
        return UserProgram.compile("""
            class Exits {
                interface Ends { void end(Runtime r, int status); }
                int straight(int n) { if (n > 3) { System.exit(n); } return n; }
                void runtime(long n) { try { Runtime.getRuntime().halt((int) n); } finally { n++; } }
                java.util.function.IntConsumer reference() { return System::exit; }
                Ends unbound() { return Runtime::exit; }
                Runnable nested() { return () -> List.of(1).forEach(System::exit); }
            }""");
    }

    private static List<String> text(byte[] bytes) {
        StringWriter text = new StringWriter();
        new ClassReader(bytes).accept(new TraceClassVisitor(null, new Textifier(), new PrintWriter(text)), 0);
        return text.toString().lines().toList();
    }

    private static void assertRefused(String statements, String message) {
        UserProgram program = program(statements);
        assertEquals(message, assertThrows(Hooks.Refusal.class, () -> call(program)).getMessage());
    }

    private static UserProgram program(String statements) {
        return new UserProgram("class Program implements java.util.concurrent.Callable<Object> {"
            + " public Object call() { " + statements + " return null; } }");
    }

    private static Object call(UserProgram program) throws Exception {
        return ((Callable<?>) program.make("Program")).call();
    }
}
