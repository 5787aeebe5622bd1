package harrier.runtime.program;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.History;
import harrier.Operation;
import harrier.runtime.Restored;
import harrier.runtime.UserProgram;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.load.compile.ProgramFiles;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.Guard;
import harrier.runtime.step.ActorState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.Rule;
import org.junit.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** What can go wrong, and right, while a scenario is set up. */
public class LoadedProgramTest {
    @Rule
    public final Restored restored = new Restored();

    @Test
    public void actorsAndFirstMessagesAreInTheOrderOfTheSetUp() {
        LoadedProgram program = load("create(\"x\", 2, i -> new A()); send(create(\"b\", new A()), \"go\");");

        assertEquals(List.of("x1", "x2", "b"), program.initial().creates().stream().map(ActorState::name).toList());
        assertEquals("b", program.initial().sends().get(0).receiver());
        assertEquals("", program.initial().sends().get(0).sender());
    }

    /** Errors in class files are the user's, whatever they lead to. */
    @Test
    public void damagedClassFilesAreOneLine() {
        Map<String, byte[]> whole = UserProgram.compile("""
            record Go(int n) {}
            class A extends Actor { int n; @Handler void on(Go m) { n = m.n(); send(self(), new Go(n)); } }
            class S extends Scenario {
                protected void setUp() { send(create("a", new A()), new Go(1)); }
                @Invariant boolean small() { return actors(A.class).allMatch(a -> a.n < 2); }
            }""").bytes();
        Random random = new Random(1);
        Map<String, Integer> ends = new TreeMap<>();
        for (String name : whole.keySet()) {
            byte[] file = whole.get(name);
            List<byte[]> damaged = new ArrayList<>(List.of(new byte[0], new byte[] {1}, Arrays.copyOf(file, 9),
                Arrays.copyOf(file, file.length / 2), Arrays.copyOf(file, file.length - 1), whole.get("Go".equals(name) ? "A" : "Go")));
            for (int i = 0; i < 60; i++) {
                byte[] flipped = file.clone();
                flipped[random.nextInt(file.length)] ^= 1 << random.nextInt(8);
                damaged.add(flipped);
            }
            for (byte[] d : damaged) {
                Map<String, byte[]> classes = new TreeMap<>(whole);
                classes.put(name, d);
                ends.merge(end(classes), 1, Integer::sum);
            }
        }
        assertEquals(ends.toString(), Set.of("RuleException", "UsageException", "loaded"), ends.keySet());
        assertTrue(ends.toString(), ends.get("UsageException") > 60);
    }

    private static String end(Map<String, byte[]> classes) {
        try {
            Loading.load(ProgramFiles.given(classes, Map.of(), Map.of()), "here", "", Map.of(), Options.STANDARD);
            return "loaded";
        } catch (UsageException | RuleException e) {
            return e.getMessage().lines().count() > 1 ? e.getMessage() : e.getClass().getSimpleName();
        } catch (RuntimeException | Error e) {
            return e + " " + List.of(e.getStackTrace());
        }
    }

    @Test
    public void aClassMayBeItsOwnSuperclass() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "Own", null, "Own", null);
        Map<String, byte[]> classes = new TreeMap<>(UserProgram.compile("class S extends Scenario { protected void setUp() {} }").bytes());
        classes.put("Own", writer.toByteArray());

        assertEquals("UsageException", end(classes));
    }

    /** An exception may be of a class of the program that fails itself. */
    @Test
    public void whatIsThrownIsToldWhateverItsMethodsDo() {
        for (String methods : List.of("public StackTraceElement[] getStackTrace() { return null; }",
                "public StackTraceElement[] getStackTrace() { return new StackTraceElement[1]; }",
                "public StackTraceElement[] getStackTrace() { throw this; }", "public String getMessage() { throw this; }",
                "public String getMessage() { return getMessage(); }", "public String getMessage() { return \"\\n\"; }",
                "public String getMessage() { return \"x\".repeat(1_000_000); }",
                "public Throwable getCause() { return this; }", "public String toString() { return null; }")) {
            UserProgram program = new UserProgram("class Odd extends RuntimeException { " + methods + " }"
                + " class S extends Scenario { protected void setUp() { throw new Odd(); } }");
            UsageException failure = assertThrows(methods, UsageException.class, () -> load(program));
            assertTrue(failure.getMessage(), failure.getMessage().matches("S.setUp failed: Odd(: x{0,1000}…?)?"));
        }
        UserProgram exits = new UserProgram("class Odd extends RuntimeException { public String getMessage() { System.exit(0); return null; } }"
            + " class S extends Scenario { protected void setUp() { throw new Odd(); } }");
        RuleException refusal = assertThrows(RuleException.class, () -> load(exits));
        assertTrue(refusal.getMessage(), refusal.getMessage().startsWith("S.setUp: Odd.getMessage calls System.exit"));
    }

    @Test
    public void whateverEndsAStaticInitializerIsToldWithItsPlace() {
        assertEquals("the static initializer of S failed: StackOverflowError",
            usage("class S extends Scenario { static int deep() { return 1 + deep(); } static int n = deep(); protected void setUp() {} }"));
        assertEquals("the static initializer of S failed: AssertionError: no",
            usage("class S extends Scenario { static { if (true) throw new AssertionError(\"no\"); } protected void setUp() {} }"));
        assertEquals("S.setUp needs the class Bad, whose static initializer failed: java.lang.ArithmeticException: / by zero",
            usage("class Bad { static int n = 1 / 0; static int f() { return n; } } class S extends Scenario { protected void setUp() {"
                + " try { Bad.f(); } catch (Error e) { } Bad.f(); } }"));
        UserProgram refused = new UserProgram("class S extends Scenario { static { new Thread(() -> { }).start(); } protected void setUp() {} }");
        assertThrows(RuleException.class, () -> load(refused));
    }

    @Test
    public void actorsThatAreNullAreToldSo() {
        assertEquals("S.setUp failed: NullPointerException: an actor must not be null",
            usage("class S extends Scenario { protected void setUp() { create(\"a\", null); } }"));
        assertEquals("S.setUp failed: NullPointerException: an actor must not be null",
            usage("class S extends Scenario { protected void setUp() { create(\"a\", 2, i -> null); } }"));
    }

    private static String usage(String text) {
        return assertThrows(UsageException.class, () -> load(new UserProgram(text))).getMessage();
    }

    private static final String REGISTER = """
        class A extends Actor { A(int n) { times = n; } int times; protected void start() { BEGIN } }
        class S extends Scenario {
            protected void setUp() { create("a", new A(1)); create("b", new A(2)); }
            @Invariant boolean p() { return USE; }
        }""";

    private static LoadedProgram register(String begin, String use) {
        return load(new UserProgram(REGISTER.replace("BEGIN", begin).replace("USE", use)));
    }

    @Test
    public void theHistoryAfterTheSetUpHasWhatStartsInvoke() {
        LoadedProgram program = register("invoked(times);", "history() != null");

        History history = (History) new Codec(program.loader()).decode(program.history());

        assertEquals(List.of(1, 2), history.operations().stream().map(Operation::invocation).toList());
        assertEquals(0, register("", "history() != null").history().length);
    }

    @Test
    public void noHistoryIsKeptThatNobodyReads() {
        assertEquals(0, register("invoked(times);", "true").history().length);
    }

    @Test
    public void anOperationTooManyInASetUpIsOneLine() {
        assertEquals("S.setUp: a invokes Integer while its Integer is pending: an actor has one operation at a time, so"
            + " call returned before invoked", assertThrows(RuleException.class,
                () -> register("invoked(1); invoked(2);", "history() != null")).getMessage());
    }

    @Test
    public void aSetUpCannotReadTheHistory() {
        assertUsage("history();",
            "S.setUp failed: IllegalStateException: history works in properties only");
    }

    @Test
    public void twoActorsOfOneNameAreOneLineWithThePlace() {
        UsageException failure = assertUsage("create(\"x1\", new A()); create(\"x\", 2, i -> new A());",
            "S.setUp failed: IllegalArgumentException: there is an actor x1 already: give the role another name");

        assertEquals(List.of("at S.setUp(Program.java:2)"), failure.detail());
    }

    @Test
    public void parametersAreToldAsTheyWereBeforeTheSetUp() {
        assertEquals(Map.of("n", "3"), load(new UserProgram("class A extends Actor {} class S extends Scenario {"
            + " @Parameter int n = 3; protected void setUp() { n = 4; create(\"a\", new A()); } }")).parameters());
    }

    @Test
    public void aSetUpCannotReadActors() {
        assertUsage("actors(A.class);",
            "S.setUp failed: IllegalStateException: actors works in properties only");
    }

    @Test
    public void exitIsToldAtOnceEvenIfItIsCaught() {
        String refusal = "S.setUp: S.setUp calls System.exit (Program.java:2): what is checked must not end the process;"
            + " throw an exception to report a failure";

        assertEquals(refusal, rule("System.exit(1);"));
        assertEquals(refusal, rule("create(\"x\", new A()); try { System.exit(1); } catch (Throwable e) { }"));
        assertNull(Guard.takeRefusal());
    }

    private static UsageException assertUsage(String setUp, String message) {
        UsageException failure = assertThrows(UsageException.class, () -> load(setUp));
        assertEquals(message, failure.getMessage());
        return failure;
    }

    private static String rule(String setUp) {
        return assertThrows(RuleException.class, () -> load(setUp)).getMessage();
    }

    private static LoadedProgram load(String setUp) {
        return load(new UserProgram("class A extends Actor { @Handler void on(String m) {} }\n"
            + "class S extends Scenario { protected void setUp() { " + setUp + " } }"));
    }

    private static LoadedProgram load(UserProgram program) {
        return Loading.load(program.loader().classes(), "here", "", Map.of(), Options.STANDARD);
    }
}
