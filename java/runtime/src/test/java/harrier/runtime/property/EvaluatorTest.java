package harrier.runtime.property;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.History;
import harrier.Operation;
import harrier.runtime.UserProgram;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.format.FormatException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.property.Evaluator.Judgement;
import harrier.runtime.property.Evaluator.Property;
import harrier.runtime.step.ActorState;
import harrier.runtime.wire.PropertyKind;
import harrier.runtime.wire.ReadIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.Test;

public class EvaluatorTest {
    private static final byte[] NONE = {};

    private static final String ACTORS = """
        class Base extends Actor { int n; Base(int n) { this.n = n; } }
        class A extends Base { A(int n) { super(n); } }
        class B extends Base { B(int n) { super(n); } }
        """;

    @Test
    public void aPropertyHoldsOrNot() {
        assertAnswer(true, List.of(1, 0), judge("return actors(A.class).allMatch(a -> a.n > 0);"));
        assertAnswer(false, List.of(1),
            judge("return actors(A.class).allMatch(a -> a.n > 1);"));
    }

    @Test
    public void readsAreInTheOrderOfNamesAndEachIsToldOnce() {
        assertEquals("subclasses too", List.of(1, 0, 2),
            judge("return actors(Base.class).count() == 3 & actors(B.class).count() == 1;").reads());
    }

    @Test
    public void readsByNameComeFirstWhenTheyAreMadeFirst() {
        assertEquals(List.of(2, 1, 0),
            judge("return actor(b, B.class).n == 7 && actors(A.class).allMatch(a -> a.n < 5);").reads());
    }

    @Test
    public void aShortCircuitReadsLess() {
        assertEquals(List.of(1), judge("return actors(Base.class).anyMatch(a -> a.n == 1);").reads());
        assertEquals(List.of(1), judge("return actors(Base.class).findFirst().isPresent();").reads());
        assertEquals(List.of(), judge("return true || actors(Base.class).count() == 3;").reads());
    }

    @Test
    public void namesAreOrderedAndNotPositions() {
        assertAnswer(true, List.of(1, 0, 2),
            judge("return actors(Base.class).map(a -> a.n).toList().equals(List.of(1, 2, 7));"));
    }

    @Test
    public void anActorIsReadOnce() {
        assertTrue(judge("return actor(b, B.class) == actors(B.class).findFirst().get();").holds());
    }

    @Test
    public void anExceptionIsAFailureOfTheProperty() {
        Judgement judgement = judge("return actors(B.class).allMatch(x -> 1 / (x.n - 7) > 0);");

        assertEquals("exception", judgement.failure().kind());
        assertEquals("ArithmeticException: / by zero", judgement.failure().text());
        assertTrue(judgement.failure().stack().get(0).startsWith("S.lambda$p$"));
        assertEquals("what was read before counts", List.of(2), judgement.reads());
        assertTrue(!judgement.holds());
    }

    @Test
    public void theStackOfAFailureEndsWithTheProperty() {
        assertEquals(List.of("S.p(Program.java:5)"), judge("throw new IllegalStateException();").failure().stack());
    }

    @Test
    public void anAssertionIsAFailureOfTheProperty() {
        Judgement judgement = judge("assert actors(B.class).count() == 2 : \"one B\"; return true;");

        assertEquals("assertion", judgement.failure().kind());
        assertEquals("AssertionError: one B", judgement.failure().text());
    }

    @Test
    public void aPropertyCannotCreateActorsNorSend() {
        assertEquals("IllegalStateException: a property must only read: it cannot create actors",
            judge("create(\"x\", new A(1)); return true;").failure().text());
        assertEquals("IllegalStateException: a property must only read: it cannot send messages",
            judge("send(b, \"m\"); return true;").failure().text());
    }

    @Test
    public void anUnknownActorAndOneOfAnotherClassAreFailures() {
        assertEquals("IllegalArgumentException: there is no actor nobody",
            judge("return actor(nobody, A.class).n == 1;").failure().text());
        Judgement judgement = judge("return actor(b, A.class).n == 1;");
        assertEquals("IllegalArgumentException: b is of class B", judgement.failure().text());
        assertEquals(List.of(), judgement.reads());
    }

    @Test
    public void aPropertyThatEndsTheProcessIsRefusedAndNotBlamedOnTheNextStep() {
        for (String end : List.of("System.exit(1); return true;",
                "try { System.exit(1); } catch (Throwable e) { } return true;")) {
            assertEquals("the property \"p\": S.p calls System.exit (Program.java:5): what is"
                + " checked must not end the process; throw an exception to report a failure",
                assertThrows(RuleException.class, () -> judge(end)).getMessage());
            assertNull(judge("return true;").failure());
            assertNull(harrier.runtime.rules.Guard.takeRefusal());
        }
    }

    @Test
    public void aPropertyThatChangesTheScenarioIsRefused() {
        for (String change : List.of("n++", "list.add(1)", "shared = new Thread()", "shared = null", "hidden = 1",
                "n++; if (n > 0) throw new IllegalStateException()")) {
            String field = change.replaceAll("\\W.*", "");
            assertEquals("the property \"p\" changes the field " + field + " of the scenario: properties must only read",
                assertThrows(RuleException.class, () -> evaluateWithFields(change)).getMessage());
        }
        assertTrue(evaluateWithFields("int n = 5; n++; new ArrayList<>(list).add(2)").holds());
        assertTrue("what cannot be captured is compared by identity",
            evaluateWithFields("((Thread) shared).setName(\"x\")").holds());
    }

    private static Judgement evaluateWithFields(String statements) {
        UserProgram program = new UserProgram("""
            abstract class P extends Scenario { protected int hidden; }
            class S extends P {
                int n;
                List<Integer> list = new ArrayList<>();
                Object shared = new Thread();
                protected void setUp() {}
                @Invariant boolean p() { STATEMENTS; return true; }
            }""".replace("STATEMENTS", statements));
        return UserProgram.evaluate(evaluator(program), 0, NONE, List.of());
    }

    private static final String BAD_KEY = """
        class Bad extends Actor { Set<Key> set = new HashSet<>(); Bad() { set.add(new Key()); Key.bad = true; } }
        class Key {
            static boolean bad;
            public int hashCode() { if (bad) { FAIL; } return 1; }
        }
        class S extends Scenario {
            protected void setUp() {}
            @Invariant boolean p() {
                try { return actors(Bad.class).count() + actors(Bad.class).filter(b -> true).toList().size() > 0; }
                catch (CAUGHT e) { return true; }
            }
        }
        class Never extends RuntimeException {}
        """;

    @Test
    public void aStateThatCannotBeMadeAnewIsABrokenRule() {
        for (String caught : List.of("Never", "Throwable")) {
            for (String thrown : List.of("IllegalStateException", "AssertionError", "StackOverflowError")) {
                UserProgram program = new UserProgram(BAD_KEY.replace("CAUGHT", caught)
                    .replace("FAIL", "throw new " + thrown + "()"));
                List<ActorState> actors = List.of(program.actor("a", "Bad"));

                assertEquals("making the state of a anew fails: " + thrown
                    + ": hashCode, equals and compareTo must work on every value that a collection holds",
                    assertThrows(RuleException.class, () -> UserProgram.evaluate(evaluator(program), 0, NONE, actors)).getMessage());
            }
        }
    }

    @Test
    public void bytesThatAreNoStateAreAFaultOfOursEvenIfTheyAreCaught() {
        UserProgram program = new UserProgram(BAD_KEY.replace("CAUGHT", "Throwable").replace("FAIL", ""));
        List<ActorState> actors = List.of(new ActorState("a", "Bad", new byte[] {0}, false));

        assertThrows(FormatException.class, () -> UserProgram.evaluate(evaluator(program), 0, NONE, actors));
    }

    @Test
    public void actorsAreNotReadInParallel() {
        UserProgram program = program("return actors(Base.class).parallel().count() == 1;");

        String refusal = assertThrows(RuleException.class, () -> UserProgram.evaluate(evaluator(program), 0, NONE, actors(program)))
            .getMessage();

        assertTrue(refusal, refusal.startsWith("the property \"p\": S.p calls BaseStream.parallel (Program.java:"));
    }

    @Test
    public void whatAPropertyChangesIsGoneAfterwards() {
        UserProgram program = program("return actors(Base.class).allMatch(a -> a.n++ < 8);");
        Evaluator evaluator = evaluator(program);
        for (int i = 0; i < 5; i++) {
            assertTrue(UserProgram.evaluate(evaluator, 0, NONE, actors(program)).holds());
        }
    }

    @Test
    public void propertiesAreOrderedByMethodAndFinalOnesAreLast() {
        assertEquals(List.of("alpha", "must be so", "zeta", "ends so", "omega", "every terminal state is an expected one (expectFinal)"), names("""
            class S extends Scenario {
                protected void setUp() {}
                protected boolean expectFinal() { return true; }
                @Final boolean omega() { return true; }
                @Final("ends so") boolean gamma() { return true; }
                @Invariant boolean zeta() { return true; }
                @Invariant("must be so") private boolean beta() { return true; }
                @Invariant boolean alpha() { return true; }
            }"""));
    }

    @Test
    public void theFinalConditionIsAPropertyOnlyIfTheScenarioHasOne() {
        assertEquals(List.of(), names("class S extends Scenario { protected void setUp() {} }"));
        assertEquals(List.of("every terminal state is an expected one (expectFinal)"), names("""
            abstract class P extends Scenario { protected boolean expectFinal() { return false; } }
            class S extends P { protected void setUp() {} }"""));
    }

    @Test
    public void expectFinalMayHaveAName() {
        assertEquals(List.of("ends so"), names("""
            class S extends Scenario { protected void setUp() {} @Final("ends so") protected boolean expectFinal() { return true; } }"""));
    }

    @Test
    public void aFinalConditionIsAskedByItself() {
        UserProgram program = new UserProgram(ACTORS + """
            class S extends Scenario {
                protected void setUp() {}
                protected boolean expectFinal() { return true; }
                @Final boolean few() { return actors(B.class).allMatch(b -> b.n == 7); }
                @Final boolean many() { return actors(B.class).allMatch(b -> b.n == 8); }
            }""");
        Evaluator evaluator = evaluator(program);

        assertEquals(List.of(PropertyKind.FINAL, PropertyKind.FINAL, PropertyKind.FINAL),
            evaluator.properties().stream().map(Evaluator.Property::kind).toList());
        assertEquals(List.of(true, false, true),
            IntStream.range(0, 3).mapToObj(i -> UserProgram.evaluate(evaluator, i, NONE, actors(program)).holds()).toList());
    }

    @Test
    public void theFinalConditionReadsActors() {
        UserProgram program = new UserProgram(ACTORS + """
            class S extends Scenario {
                protected void setUp() {}
                protected boolean expectFinal() { return actors(B.class).allMatch(b -> b.n == 8); }
            }""");

        Evaluator evaluator = evaluator(program);

        assertEquals(PropertyKind.FINAL, evaluator.properties().get(0).kind());
        assertAnswer(false, List.of(2), UserProgram.evaluate(evaluator, 0, NONE, actors(program)));
    }

    @Test
    public void anOverriddenInvariantCountsOnceAndTheOverrideDecides() {
        UserProgram program = new UserProgram(ACTORS + """
            class P extends Scenario {
                protected void setUp() {}
                @Invariant("parent") boolean p() { return true; }
                @Invariant("inherited") boolean q() { return true; }
            }
            class S extends P { @Override @Invariant("child") boolean p() { return false; } }""");

        Evaluator evaluator = evaluator(program);

        assertEquals(List.of("child", "inherited"), evaluator.properties().stream().map(Property::name).toList());
        assertEquals(false, UserProgram.evaluate(evaluator, 0, NONE, actors(program)).holds());
    }

    @Test
    public void anOverrideWithoutTheAnnotationIsAnInvariantAllTheSame() {
        UserProgram program = new UserProgram(ACTORS + """
            class P extends Scenario {
                protected void setUp() {}
                @Invariant("parent") boolean p() { return true; }
            }
            class S extends P { @Override boolean p() { return false; } }""");

        Evaluator evaluator = evaluator(program);

        assertEquals(List.of("parent"), evaluator.properties().stream().map(Property::name).toList());
        assertEquals(false, UserProgram.evaluate(evaluator, 0, NONE, actors(program)).holds());
    }

    @Test
    public void anUnrelatedPrivateMethodDoesNotHideAnInvariant() {
        assertEquals(List.of("a"), names("abstract class P extends Scenario {"
            + " @Invariant(\"a\") private boolean holds() { return true; } }"
            + " class S extends P { protected void setUp() {} private boolean holds() { return false; } }"));
        assertEquals(List.of("b", "a"), names("abstract class P extends Scenario {"
            + " @Invariant(\"a\") private boolean holds() { return true; } }"
            + " class S extends P { protected void setUp() {} @Invariant(\"b\") boolean holds() { return false; } }"));
    }

    @Test
    public void invariantsOfInterfacesAreFound() {
        UserProgram program = new UserProgram("""
            interface I { @Invariant("i") default boolean holds() { return false; } }
            interface J extends I { @Invariant("j") default boolean holds() { return true; } }
            class S extends Scenario implements I, J { protected void setUp() {} }""");
        Evaluator evaluator = evaluator(program);

        assertEquals(List.of("j"), evaluator.properties().stream().map(Property::name).toList());
        assertTrue(UserProgram.evaluate(evaluator, 0, NONE, List.of()).holds());
    }

    @Test
    public void aHelperOfTheSameNameDoesNotHideAnInvariant() {
        String helpers = "boolean p(int n) { return false; } boolean p(String s) { return true; }";

        assertEquals(List.of("p"), names("class S extends Scenario { protected void setUp() {} " + helpers
            + " @Invariant boolean p() { return true; } }"));
        assertEquals(List.of("p"), names("abstract class P extends Scenario { @Invariant boolean p() { return true; } }"
            + " class S extends P { protected void setUp() {} " + helpers + " }"));
    }

    @Test
    public void wrongInvariantsAreToldInOneLine() {
        for (String wrong : List.of("void p() {}", "boolean p(int n) { return true; }", "static boolean p() { return true; }",
                "Boolean p() { return true; }")) {
            assertEquals("S.p cannot be an invariant: it must return boolean, take nothing and not be static",
                assertThrows(UsageException.class, () -> names("class S extends Scenario { protected void setUp() {}"
                    + " @Invariant " + wrong + " }")).getMessage());
        }
    }

    @Test
    public void theHistoryIsReadAsAnActorIs() {
        UserProgram program = program("return actor(b, B.class).n == 7 && history() == history()"
            + " && history().operations().get(0).invocation().equals(\"go\") && actors(A.class).count() == 2;");
        byte[] history = history(program, "go");

        assertAnswer(true, List.of(2, ReadIndex.HISTORY, 1, 0),
            UserProgram.evaluate(evaluator(program), 0, history, actors(program)));
    }

    @Test
    public void aHistoryOfNoBytesHasNoOperations() {
        assertAnswer(true, List.of(ReadIndex.HISTORY),
            judge("return history().operations().isEmpty();"));
    }

    @Test
    public void theFinalConditionReadsTheHistory() {
        UserProgram program = new UserProgram(ACTORS + """
            class S extends Scenario {
                protected void setUp() {}
                protected boolean expectFinal() { return history().pending().isEmpty(); }
            }""");

        assertAnswer(false, List.of(ReadIndex.HISTORY),
            UserProgram.evaluate(evaluator(program), 0, history(program, "go"), actors(program)));
    }

    @Test
    public void whatAPropertyChangesInTheHistoryIsGoneAfterwards() {
        UserProgram program = program(
            "return ((List<Integer>) history().operations().get(0).invocation()).remove(0) == 1;");
        byte[] history = history(program, new ArrayList<>(List.of(1)));
        Evaluator evaluator = evaluator(program);

        for (int i = 0; i < 3; i++) {
            assertTrue(UserProgram.evaluate(evaluator, 0, history, actors(program)).holds());
        }
    }

    @Test
    public void aPropertyThatDependsOnIterationOrderInTheHistoryIsRefused() {
        UserProgram program = program(
            "return ((Set<Integer>) history().operations().get(0).invocation()).iterator().next() == 1;");
        byte[] history = history(program, new HashSet<>(Set.of(1, 16)));

        assertEquals("two answers for the same states: a property must not depend on iteration order, whether equal values are one object, time or chance",
            assertThrows(RuleException.class, () -> UserProgram.evaluate(evaluator(program), 0, history, actors(program)))
                .getMessage());
    }

    @Test
    public void aHistoryThatIsNotKeptIsAFailureToRead() {
        UserProgram program = program("history(); return true;");
        Evaluator evaluator = new Evaluator(program.scenario("S"), List.of(), Setting.of(program.codec(), false, program.loader().covered()), program.loader(), UserProgram.byItself(), false, List.of());

        assertEquals("IllegalStateException: there is no history, as no class of the scenario calls history()",
            UserProgram.evaluate(evaluator, 0, NONE, List.of()).failure().text());
    }

    /** One pending operation of {@code a1}. */
    private static byte[] history(UserProgram program, Object invocation) {
        return program.codec().encode(new History(
            List.of(new Operation(UserProgram.name("a1"), invocation, null, 0, Operation.PENDING))));
    }

    /** Judges three actors: a2 is an A of 2, a1 an A of 1, b a B of 7. */
    private static void assertAnswer(boolean holds, List<Integer> reads, Judgement j) {
        assertEquals(new Judgement(holds, null, reads, j.fields(), j.hashed(), j.looks(), null), j);
    }

    private static Judgement judge(String body) {
        UserProgram program = program(body);
        return UserProgram.evaluate(evaluator(program), 0, NONE, actors(program));
    }

    private static List<ActorState> actors(UserProgram program) {
        return List.of(program.actor("a2", "A", 2), program.actor("a1", "A", 1), program.actor("b", "B", 7));
    }

    private static UserProgram program(String body) {
        return new UserProgram(ACTORS + "class S extends Scenario { ActorName b, nobody; protected void setUp() {}\n"
            + "@Invariant boolean p() { " + body + " } }");
    }

    private static List<String> names(String scenario) {
        return evaluator(new UserProgram(scenario)).properties().stream().map(Property::name).toList();
    }

    private static Evaluator evaluator(UserProgram program) {
        harrier.Scenario scenario = program.scenario("S");
        for (String name : List.of("b", "nobody")) {
            try {
                var field = scenario.getClass().getDeclaredField(name);
                field.setAccessible(true);
                field.set(scenario, UserProgram.name(name));
            } catch (NoSuchFieldException e) {
                continue; // this scenario needs no names
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return new Evaluator(scenario, List.of(), Setting.of(program.codec(), false, program.loader().covered()), program.loader(), UserProgram.byItself(), true, List.of());
    }
}
