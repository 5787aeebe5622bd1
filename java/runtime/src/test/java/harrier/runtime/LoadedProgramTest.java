package harrier.runtime;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.History;
import harrier.Operation;
import harrier.runtime.codec.Codec;
import harrier.runtime.rules.Guard;
import harrier.runtime.step.ActorState;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What can go wrong, and right, while a scenario is set up. */
public class LoadedProgramTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @Before
    public void prepare() {
        Guard.takeRefusal();
    }

    @After
    public void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    public void actorsAndFirstMessagesAreInTheOrderOfTheSetUp() {
        LoadedProgram program = load("create(\"x\", 2, i -> new A()); send(create(\"b\", new A()), \"go\");");

        assertEquals(List.of("x1", "x2", "b"), program.initial().creates().stream().map(ActorState::name).toList());
        assertEquals("b", program.initial().sends().get(0).receiver());
        assertEquals("", program.initial().sends().get(0).sender());
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
            "S.setUp failed: IllegalStateException: history works in invariants and in expectFinal only");
    }

    @Test
    public void aScenarioWithoutActorsIsOneLine() {
        assertUsage("", "S.setUp creates no actors: it must create those that exist at the start");
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
    public void aFailureIsOneLineWithThePlace() {
        UsageException failure = assertUsage("throw new IllegalStateException(\"no\");",
            "S.setUp failed: IllegalStateException: no");

        assertEquals(List.of("at S.setUp(Program.java:2)"), failure.detail());
    }

    @Test
    public void aSetUpCannotReadActors() {
        assertUsage("actors(A.class);",
            "S.setUp failed: IllegalStateException: actors works in invariants and in expectFinal only");
    }

    @Test
    public void exitIsToldAtOnceEvenIfItIsCaught() {
        String refusal = "S.setUp: S.setUp calls System.exit (Program.java:2): what is checked must not end the process;"
            + " throw an exception to report a failure";

        assertEquals(refusal, rule("System.exit(1);"));
        assertEquals(refusal, rule("create(\"x\", new A()); try { System.exit(1); } catch (Throwable e) { }"));
        assertNull(Guard.takeRefusal());
    }

    @Test
    public void whatCannotBeCapturedIsToldEvenIfItIsCaught() {
        String send = "send(create(\"x\", new A()), new Thread());";

        assertTrue(rule(send).startsWith("S.setUp: a message to x: the value is a java.lang.Thread"));
        assertEquals(rule(send), rule("try { " + send + " } catch (RuntimeException e) { }"));
    }

    @Test
    public void wrongHandlersAreFoundAtOnceEvenInActorsThatDoNotExistYet() {
        assertEquals("Later.on() cannot be a handler: it must take a message, and may take the sender (an ActorName)"
            + " after it", assertThrows(UsageException.class, () -> load(new UserProgram(
                "class A extends Actor {} class Later extends Actor { @Handler void on() {} }"
                + " class S extends Scenario { protected void setUp() { create(\"a\", new A()); } }"))).getMessage());
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
        return LoadedProgram.load(program.loader().classes(), "here", "", Map.of(), Options.STANDARD);
    }
}
