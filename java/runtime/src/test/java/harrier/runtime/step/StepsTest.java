package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.LiveDump;
import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.failure.RuleException;
import harrier.runtime.recheck.Recheck;
import java.util.List;
import org.junit.Test;

/** What a step that goes well gives. */
public class StepsTest {
    @Test
    public void anOutcomeIsTheNewStateAndTheMessagesSent() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                int n;
                @Handler void on(String m) {
                    n += 2;
                    reply(m + "!");
                    send(self(), n);
                }
            }""");

        Steps.Answer answer = program.step("A", "hi");

        Outcome outcome = answer.outcomes().get(0);
        assertEquals(1, answer.outcomes().size());
        assertEquals("A.on(String)", outcome.handler());
        assertEquals("A{n=2}", program.show(outcome.local()));
        assertEquals(List.of("a>b \"hi!\"", "a>a 2"), program.show(outcome.sends()));
        assertEquals(List.of(), outcome.creates());
        assertEquals(List.of(), outcome.choices());
        assertNull(outcome.failure());
    }

    @Test
    public void stepsLeaveNothingBehindForTheNext() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                List<String> seen = new ArrayList<>();
                @Handler void on(ArrayList<String> m) { m.add("x"); seen.addAll(m); }
            }""");
        Steps steps = program.steps(true);
        byte[] local = program.local("A");
        Envelope message = program.message(new java.util.ArrayList<>(List.of("m")));

        for (int i = 0; i < 3; i++) {
            Outcome outcome = UserProgram.answer(steps, local, message).outcomes().get(0);
            assertEquals("A{seen=[\"m\", \"x\"]}", program.show(outcome.local()));
        }
    }

    @Test
    public void everyExecutionIsRepeatedIfAskedFor() {
        UserProgram program = new UserProgram("class A extends Actor { @Handler void on(String m) { choose(3); } }");

        assertEquals(3, UserProgram.answer(program.steps(false), program.local("A"), program.message("m")).executions());
        assertEquals(6, UserProgram.answer(program.steps(true), program.local("A"), program.message("m")).executions());
    }

    @Test
    public void aStepMayBeRepeatedOnOtherMessages() {
        UserProgram program = new UserProgram("class A extends Actor { String s; @Handler void on(String m) { s = m; } }");
        byte[] local = program.local("A");
        Steps.Request first = Steps.Request.messages(local, List.of(program.message("m")));
        Steps.Request same = first.repeatedAs(Steps.Request.messages(local, List.of(program.message("m"))));
        Steps.Request other = first.repeatedAs(Steps.Request.messages(local, List.of(program.message("n"))));

        List<Steps.Answer> answers = program.steps(true).answers(List.of(same, other, first));
        assertNull(answers.get(0).varied());
        assertEquals("A{s=\"n\"}", program.show(answers.get(1).varied().outcomes().get(0).local()));
        assertEquals("A{s=\"m\"}", program.show(answers.get(1).outcomes().get(0).local()));
        assertEquals(2, answers.get(1).executions());
        assertNull(answers.get(2).varied());
        assertNull(program.steps(false).answers(List.of(other)).get(0).varied());
    }

    @Test
    public void everyChoiceIsAnOutcome() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                int n;
                @Handler void on(String m) { n = 10 + choose(3); }
            }""");

        assertOutcomes(program, "[0] A{n=10}", "[1] A{n=11}", "[2] A{n=12}");
    }

    @Test
    public void choicesThatDependOnChoicesAreExploredInLexicographicOrder() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                String s = "";
                @Handler void on(String m) {
                    int first = choose(3);
                    s += first;
                    if (first == 0) { s += choose(2); s += choose(2); }
                    if (first == 2) { s += choose(1); s += choose(3); }
                }
            }""");

        assertOutcomes(program, "[0, 0, 0] A{s=\"000\"}", "[0, 0, 1] A{s=\"001\"}", "[0, 1, 0] A{s=\"010\"}",
            "[0, 1, 1] A{s=\"011\"}", "[1] A{s=\"1\"}", "[2, 0, 0] A{s=\"200\"}", "[2, 0, 1] A{s=\"201\"}",
            "[2, 0, 2] A{s=\"202\"}");
    }

    @Test
    public void choicesGoOnAfterOneThatFails() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                int n;
                @Handler void on(String m) { n = choose(3); if (n == 1) throw new IllegalStateException("one"); }
            }""");

        List<Outcome> outcomes = program.step("A", "m").outcomes();

        assertEquals(3, outcomes.size());
        assertNull(outcomes.get(0).failure());
        assertEquals("IllegalStateException: one", outcomes.get(1).failure().text());
        assertEquals(List.of(1), outcomes.get(1).choices());
        assertNull(outcomes.get(2).failure());
    }

    @Test
    public void aChildGetsItsNameAndStarts() {
        UserProgram program = new UserProgram("""
            class Child extends Actor {
                ActorName parent, me;
                Child(ActorName parent) { this.parent = parent; }
                protected void start() { me = self(); send(parent, "born"); }
            }
            class A extends Actor {
                ActorName child;
                @Handler void on(String m) {
                    child = create("worker", new Child(self()));
                    send(child, "hello");
                }
            }""");

        Outcome outcome = program.step("A", "m").outcomes().get(0);

        assertEquals("A{child=a/worker1}", program.show(outcome.local()));
        assertEquals(List.of("a/worker1>a \"born\"", "a>a/worker1 \"hello\""), program.show(outcome.sends()));
        ActorState child = outcome.creates().get(0);
        assertEquals(1, outcome.creates().size());
        assertEquals("a/worker1", child.name());
        assertEquals("Child", child.type());
        assertEquals("Child{parent=a, me=a/worker1}", program.show(child.local()));
    }

    @Test
    public void childrenAreCountedFromStepToStep() {
        UserProgram program = new UserProgram("""
            class Child extends Actor {}
            class A extends Actor {
                @Handler void on(String m) { create("x", new Child()); create("y", new Child()); }
            }""");

        Outcome first = program.step("A", "m").outcomes().get(0);
        Outcome second = UserProgram.answer(program.steps(true), first.local(), program.message("m")).outcomes().get(0);

        assertEquals(List.of("a/x1", "a/y2"), names(first));
        assertEquals(List.of("a/x3", "a/y4"), names(second));
        LocalState after = program.codec().decodeLocalState(second.local());
        assertEquals("a", after.name());
        assertEquals(4, after.children());
    }

    @Test
    public void aChildMayCreateChildrenAndChooseWhenItStarts() {
        UserProgram program = new UserProgram("""
            class Leaf extends Actor { int n; protected void start() { n = choose(2); } }
            class Child extends Actor { protected void start() { create("leaf", new Leaf()); } }
            class A extends Actor { @Handler void on(String m) { create("child", new Child()); } }""");

        List<Outcome> outcomes = program.step("A", "m").outcomes();

        assertEquals(2, outcomes.size());
        for (int i = 0; i < 2; i++) {
            assertEquals(List.of("a/child1", "a/child1/leaf1"), names(outcomes.get(i)).stream().sorted().toList());
            assertEquals(List.of(i), outcomes.get(i).choices());
        }
    }

    @Test
    public void aMessageIsFrozenWhenItIsSent() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                List<Integer> list = new ArrayList<>();
                @Handler void on(String m) {
                    for (int i = 0; i < 3; i++) { reply(list); list.add(i); }
                }
            }""");

        Outcome outcome = program.step("A", "m").outcomes().get(0);

        assertEquals(List.of("a>b []", "a>b [0]", "a>b [0, 1]"), program.show(outcome.sends()));
        assertEquals("A{list=[0, 1, 2]}", program.show(outcome.local()));
    }

    @Test
    public void aChildMustNotChangeAfterItWasCreated() {
        UserProgram program = new UserProgram("""
            class Child extends Actor { int n; }
            class A extends Actor {
                @Handler void on(String m) { Child c = new Child(); create("x", c); c.n = 5; }
            }""");

        assertTrue(assertThrows(RuleException.class, () -> program.step("A", "m")).getMessage()
            .startsWith("a, A.on(String): a/x1 was changed after it was created"));
    }

    @Test
    public void operationsThatBeginAndEndAreRecordedInOrder() {
        UserProgram program = new UserProgram("""
            class Child extends Actor { protected void start() { invoked("child's"); } }
            class A extends Actor {
                @Handler void on(String m) {
                    List<Integer> list = new ArrayList<>(List.of(1));
                    returned(null);
                    invoked(list);
                    list.add(2);
                    create("x", new Child());
                    returned(list);
                }
            }""");

        Outcome outcome = program.step("A", "m").outcomes().get(0);

        assertEquals(List.of("a RETURNED null", "a INVOKED [1]", "a/x1 INVOKED \"child's\"", "a RETURNED [1, 2]"),
            outcome.records().stream().map(r -> r.actor() + " " + r.kind() + " "
                + LiveDump.of(program.codec().decode(r.payload()))).toList());
    }

    @Test
    public void nothingIsRecordedIfNoHistoryIsKept() {
        UserProgram program = new UserProgram("class A extends Actor { @Handler void on(String m) { invoked(m); } }");
        Steps steps = new Steps(Setting.of(program.codec(), false, program.loader().covered()), Recheck.ALL, false, StepJudge.NONE, UserProgram.byItself());

        assertEquals(List.of(),
            UserProgram.answer(steps, program.local("A"), program.message("m")).outcomes().get(0).records());
    }

    @Test
    public void nothingCannotBeInvoked() {
        UserProgram program = new UserProgram("class A extends Actor { @Handler void on(String m) { invoked(null); } }");

        assertEquals("NullPointerException: what is invoked must not be null",
            program.step("A", "m").outcomes().get(0).failure().text());
    }

    private static List<String> names(Outcome outcome) {
        return outcome.creates().stream().map(ActorState::name).toList();
    }

    private static void assertOutcomes(UserProgram program, String... expected) {
        assertEquals(List.of(expected), program.step("A", "m").outcomes().stream()
            .map(o -> o.choices() + " " + program.show(o.local())).toList());
    }
}
