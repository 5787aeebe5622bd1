package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.failure.Failure;
import java.util.List;
import org.junit.Test;

/** A handler that fails is an outcome, with all that a person needs to find the place. */
public class FailingStepsTest {
    @Test
    public void anAssertionThatFailsIsAnOutcomeWithItsTextAndPlace() {
        Failure failure = failure("""
            class A extends Actor {
                @Handler void on(String m) {
                    check(1);
                }
                void check(int n) {
                    assert n > 2 : "only " + n;
                }
            }""");

        assertEquals("assertion", failure.kind());
        assertEquals("AssertionError: only 1", failure.text());
        assertEquals(List.of("A.check(Program.java:6)", "A.on(Program.java:3)"), failure.stack());
    }

    @Test
    public void anExceptionIsAnOutcomeWithItsTextAndPlace() {
        Failure failure = failure("""
            class A extends Actor {
                @Handler void on(String m) throws Exception {
                    throw new Exception("first line\\nsecond line");
                }
            }""");

        assertEquals("exception", failure.kind());
        assertEquals("Exception: first line", failure.text());
        assertEquals(List.of("A.on(Program.java:3)"), failure.stack());
    }

    @Test
    public void aFailureHasNoOtherEffects() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                @Handler void on(String m) { reply(m); create("x", new A()); throw new IllegalStateException(); }
            }""");

        Outcome outcome = program.step("A", "m").outcomes().get(0);

        assertEquals("IllegalStateException", outcome.failure().text());
        assertEquals(0, outcome.local().length);
        assertEquals(List.of(), outcome.sends());
        assertEquals(List.of(), outcome.creates());
    }

    @Test
    public void aStackOverflowIsAnOutcome() {
        Failure failure = failure("""
            class A extends Actor {
                @Handler void on(String m) { deeper(m); }
                void deeper(String m) { deeper(m); }
            }""");

        assertEquals("exception", failure.kind());
        assertEquals("StackOverflowError", failure.text());
        assertTrue(failure.stack().stream().allMatch("A.deeper(Program.java:3)"::equals));
    }

    @Test
    public void aReplyToTheScenarioIsAnOutcome() {
        UserProgram program = new UserProgram("class A extends Actor { @Handler void on(String m) { reply(m); } }");
        Envelope message = new Envelope("", "a", program.codec().encode("m"));

        Failure failure = UserProgram.answer(program.steps(true), program.local("A"), message).outcomes().get(0).failure();

        assertEquals("IllegalStateException: there is nobody to reply to: no actor sent this message", failure.text());
        assertEquals(List.of("A.on(Program.java:1)"), failure.stack());
    }

    @Test
    public void aReplyInTheStartOfAChildIsAnOutcome() {
        assertEquals("IllegalStateException: there is nobody to reply to: no actor sent this message", failure("""
            class Child extends Actor { protected void start() { reply("m"); } }
            class A extends Actor { @Handler void on(String m) { create("x", new Child()); } }""").text());
    }

    @Test
    public void theStackLeadsFromTheChildToItsCreator() {
        assertEquals(List.of("Child.start(Program.java:1)", "A.on(Program.java:2)"), failure("""
            class Child extends Actor { protected void start() { throw new IllegalStateException(); } }
            class A extends Actor { @Handler void on(String m) { create("x", new Child()); } }""").stack());
    }

    @Test
    public void aMessageToNobodyAndAMessageThatIsNothingAreOutcomes() {
        assertEquals("NullPointerException: a message must not be null",
            failure("class A extends Actor { @Handler void on(String m) { reply(null); } }").text());
        assertTrue(failure("class A extends Actor { @Handler void on(String m) { send((ActorName) null, m); } }")
            .text().startsWith("NullPointerException"));
    }

    @Test
    public void aRoleThatIsNoNameIsAnOutcome() {
        assertTrue(failure("class A extends Actor { @Handler void on(String m) { create(\"x/y\", new A()); } }")
            .text().startsWith("IllegalArgumentException: a role is "));
    }

    @Test
    public void aRoleOfAChildThatEndsWithADigitIsAnOutcome() {
        assertEquals("IllegalArgumentException: the role of a child must not end with a digit: its name gets a number",
            failure("class A extends Actor { @Handler void on(String m) { create(\"w1\", new A()); } }").text());
    }

    @Test
    public void aChoiceOfNothingIsAnOutcome() {
        assertEquals("IllegalArgumentException: choose(0): at least one alternative is needed",
            failure("class A extends Actor { @Handler void on(String m) { choose(0); } }").text());
    }

    @Test
    public void aGuardThatFailsIsAnOutcome() {
        assertEquals("IllegalArgumentException: guard", failure("""
            class A extends Actor {
                @Handler(when = "ok") void on(String m) {}
                boolean ok() { throw new IllegalArgumentException("guard"); }
            }""").text());
    }

    @Test
    public void aGuardCannotSend() {
        assertEquals("IllegalStateException: reply works in start() and in handlers only: guards and properties must only read",
            failure("""
                class A extends Actor {
                    @Handler(when = "ok") void on(String m) {}
                    boolean ok() { reply("m"); return true; }
                }""").text());
    }

    @Test
    public void aMessageThatFailsOrHasControlCharactersIsStillOneLine() {
        assertEquals("Bad", failure("class Bad extends RuntimeException {"
            + " public String getMessage() { throw new IllegalStateException(); } }"
            + " class A extends Actor { @Handler void on(String m) { throw new Bad(); } }").text());
        assertEquals("RuntimeException: a\u001b[31mb\t\u0085", failure("class A extends Actor { @Handler void on(String m) {"
            + " throw new RuntimeException(\"a\\u001b[31mb\\t\\u0085\"); } }").text());
    }

    @Test
    public void whatCausedAFailureIsToldWithItsPlace() {
        Failure wrapped = failure("""
            class A extends Actor {
                @Handler void on(String m) {
                    try { throw new UnsupportedOperationException("the reason"); }
                    catch (RuntimeException e) { throw new IllegalStateException("wrapped", e); }
                }
            }""");
        assertEquals("IllegalStateException: wrapped", wrapped.text());
        assertEquals(List.of("A.on(Program.java:4)", "caused by UnsupportedOperationException: the reason", "A.on(Program.java:3)"), wrapped.stack());
        assertEquals(List.of("caused by E", "caused by E"), failure("class E extends RuntimeException {"
            + " public Throwable getCause() { return causes > 0 ? new E(causes - 1) : this; }"
            + " int causes; E(int causes) { this.causes = causes; setStackTrace(new StackTraceElement[0]); } }"
            + " class A extends Actor { @Handler void on(String m) { throw new E(2); } }").stack());
        assertEquals(List.of("caused by RuntimeException: x"), Failure.of(quiet(new ExceptionInInitializerError(
            quiet(new IllegalStateException("told", quiet(new RuntimeException("x"))))))).stack());
    }

    private static Throwable quiet(Throwable thrown) {
        thrown.setStackTrace(new StackTraceElement[0]);
        return thrown;
    }

    @Test
    public void aFailedInitializerIsToldWithItsCause() {
        assertEquals("ExceptionInInitializerError: ArithmeticException: / by zero",
            Failure.describe(new ExceptionInInitializerError(new ArithmeticException("/ by zero"))));
        assertEquals("ExceptionInInitializerError: no cause",
            Failure.describe(new ExceptionInInitializerError("no cause")));
        assertEquals("RuntimeException: x", Failure.describe(new RuntimeException("x") { }));
    }

    @Test
    public void aFailureThatIsCaughtIsNone() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                boolean caught;
                @Handler void on(String m) { try { assert false; } catch (AssertionError e) { caught = true; } }
            }""");

        Outcome outcome = program.step("A", "m").outcomes().get(0);

        assertEquals("A{caught=true}", program.show(outcome.local()));
    }

    @Test
    public void failuresOfDifferentKindsAndClassesDiffer() {
        Failure one = new Failure("exception", "p.E", "E: 1", List.of("here"), "", "");

        assertTrue(one.sameAs(new Failure("exception", "p.E", "E: 2", List.of("there"), "", "")));
        assertFalse(one.sameAs(new Failure("exception", "q.E", "E: 1", List.of("here"), "", "")));
        assertFalse(one.sameAs(new Failure("assertion", "p.E", "E: 1", List.of("here"), "", "")));
        assertFalse(one.sameAs(null));
    }

    private static Failure failure(String text) {
        List<Outcome> outcomes = new UserProgram(text).step("A", "m").outcomes();
        assertEquals(1, outcomes.size());
        return outcomes.get(0).failure();
    }
}
