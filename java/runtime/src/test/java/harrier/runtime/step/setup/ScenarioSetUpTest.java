package harrier.runtime.step.setup;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import harrier.Scenario;
import harrier.runtime.UserProgram;
import harrier.runtime.failure.UsageException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ProgramClasses;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ScenarioSetUpTest {
    private static final String SET_UP = " extends Scenario { protected void setUp() {} } ";
    private static final String TWO = "class A" + SET_UP + "class Outer { static class B" + SET_UP + "}";
    private static final String PARAMETERS = """
        class Base extends Scenario {
            enum Mode { FAST, SAFE { public String toString() { return "the safe one"; } } }
            @Parameter private int servers = 3;
            @Parameter long big = 5_000_000_000L;
            @Parameter boolean lossy;
            @Parameter double rate = 0.5;
            @Parameter String label = "x";
            @Parameter Mode mode = Mode.FAST;
            int noParameter;
            protected void setUp() {}
        }
        class S extends Base { @Parameter int clients = 1; }
        """;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Before
    public void prepare() {
        UserProgram.prepare();
    }

    @Test
    public void theOnlyScenarioNeedsNoName() {
        assertEquals("A", find("class A" + SET_UP, "").getName());
    }

    @Test
    public void aScenarioIsFoundByItsSimpleAndItsFullName() {
        assertEquals("A", find(TWO, "A").getName());
        assertEquals("Outer$B", find(TWO, "B").getName());
        assertEquals("Outer$B", find(TWO, "Outer$B").getName());
        assertUsage("here has no scenario uter$B: it has A, Outer$B", () -> find(TWO, "uter$B"));
    }

    @Test
    public void aScenarioInAPackageIsFoundByItsSimpleAndItsFullName() {
        String text = "package p.q; class A extends harrier.Scenario { protected void setUp() {} }";
        UserProgram.write(temporary.getRoot().toPath(), "A.java", text);
        ProgramClasses classes = UserProgram.read(temporary.getRoot().toPath());

        for (String wanted : new String[] {"", "A", "p.q.A"}) {
            assertEquals("p.q.A", ScenarioSetUp.find(UserProgram.loader(classes), wanted, "here"));
        }
    }

    @Test
    public void theFullNameWinsOverAnothersSimpleName() {
        String text = "class A" + SET_UP + "class Outer { static class A" + SET_UP + "}";

        assertEquals("A", find(text, "A").getName());
        assertEquals("Outer$A", find(text, "Outer$A").getName());
    }

    @Test
    public void abstractScenariosAreIgnored() {
        assertEquals("B", find("abstract class A extends Scenario {} class B extends A { protected void setUp() {} }",
            "").getName());
    }

    @Test
    public void scenariosThatOnlyCameAlongAreIgnored() {
        Map<String, byte[]> bytes = UserProgram.compile(TWO).bytes();
        ProgramLoader loader = UserProgram.loader(new ProgramClasses(bytes, Set.of("A")));

        assertEquals("A", ScenarioSetUp.find(loader, "", "here"));
    }

    @Test
    public void aScenarioThatCannotBeInitializedIsOneLine() {
        UsageException failure = assertThrows(UsageException.class, () -> find(
            "class A extends Scenario { static int n = 1 / 0; static int m = n; protected void setUp() {} }", ""));

        assertEquals("the static initializer of A failed: ArithmeticException: / by zero", failure.getMessage());
        assertEquals(List.of("at A.<clinit>(Program.java:1)"), failure.detail());
    }

    @Test
    public void aFailingConstructorIsToldWithItsPlace() {
        UsageException failure = assertThrows(UsageException.class, () -> make(
            "class A extends Scenario { A() { throw new IllegalStateException(\"no\"); } protected void setUp() {} }",
            Map.of()));

        assertEquals("A's constructor failed: IllegalStateException: no", failure.getMessage());
        assertEquals("at A.<init>(Program.java:1)", failure.detail().get(0));
    }

    @Test
    public void everyTypeOfParameterCanBeSet() {
        Map<String, String> values = Map.of("servers", "-5", "big", "6000000000", "lossy", "true", "rate", "0.25",
            "label", "a b", "mode", "SAFE", "clients", "7");

        assertEquals(values, ScenarioSetUp.values(make(PARAMETERS, values)));
    }

    @Test
    public void parametersKeepTheirDefaults() {
        assertEquals("{big=5000000000, clients=1, label=x, lossy=false, mode=FAST, rate=0.5, servers=3}",
            ScenarioSetUp.values(make(PARAMETERS, Map.of())).toString());
    }

    @Test
    public void parametersThatAreNullAreLeftOut() {
        assertEquals(Map.of("n", "1"), ScenarioSetUp.values(make("class A extends Scenario { @Parameter int n = 1;"
            + " @Parameter String label; protected void setUp() {} }", Map.of())));
    }

    @Test
    public void wrongParametersAreToldWithWhatIsWanted() {
        assertBad("servers", "6000000000", "a number of type int");
        assertBad("big", "1.5", "a number of type long");
        assertBad("rate", "", "a number of type double");
        assertBad("mode", "fast", "one of [FAST, SAFE]");
        assertUsage("the scenario S has no parameter 'noParameter': it has big, clients, label, lossy, mode, rate,"
            + " servers", () -> make(PARAMETERS, Map.of("noParameter", "1")));
        assertUsage("the scenario S has no parameter 'Server': did you mean servers? It has big, clients, label, lossy, mode, rate, servers",
            () -> make(PARAMETERS, Map.of("Server", "1")));
        assertUsage("the scenario S has no parameter 'moed': did you mean mode? It has big, clients, label, lossy, mode, rate, servers",
            () -> make(PARAMETERS, Map.of("moed", "1")));
        assertUsage("the scenario A has no parameter 'n': it has none",
            () -> make("class A" + SET_UP, Map.of("n", "1")));
        assertUsage("the parameter A.n must be neither final nor static", () -> make(
            "class A extends Scenario { @Parameter static int n = 1; protected void setUp() {} }", Map.of()));
    }

    private static Class<? extends Scenario> find(String text, String wanted) {
        ProgramLoader loader = UserProgram.loader(UserProgram.compile(text));
        return ScenarioSetUp.initialize(loader, ScenarioSetUp.find(loader, wanted, "here"));
    }

    private static Scenario make(String text, Map<String, String> values) {
        return ScenarioSetUp.make(find(text, text.contains("class S ") ? "S" : "A"), values);
    }

    private static void assertBad(String parameter, String value, String wanted) {
        assertUsage("the parameter '" + parameter + "' must be " + wanted + ", not \"" + value + '"',
            () -> make(PARAMETERS, Map.of(parameter, value)));
    }

    private static void assertUsage(String message, Runnable code) {
        assertEquals(message, assertThrows(UsageException.class, code::run).getMessage());
    }
}
