package harrier.runtime.actor;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import harrier.runtime.UserProgram;
import harrier.runtime.failure.UsageException;
import harrier.runtime.step.Outcome;
import harrier.runtime.step.Steps;
import java.util.List;
import org.junit.Test;

public class ActorClassTest {
    @Test
    public void theHandlerOfTheMostSpecificTypeTakesAMessage() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                @Handler void any(Object m) {}
                @Handler void number(Number m) {}
                @Handler void integer(Integer m) {}
            }""");

        assertEquals(List.of("A.integer(Integer)"), handlers(program, "A", Integer.class));
        assertEquals(List.of("A.number(Number)"), handlers(program, "A", Long.class));
        assertEquals(List.of("A.any(Object)"), handlers(program, "A", String.class));
    }

    @Test
    public void aHandlerOfASealedInterfaceTakesAllItsMessages() {
        UserProgram program = new UserProgram("""
            sealed interface Msg {}
            record Ping() implements Msg {}
            record Pong() implements Msg {}
            record Other() {}
            class A extends Actor {
                @Handler void on(Msg m) {}
                @Handler void on(Pong m) {}
            }""");

        assertEquals(List.of("A.on(Msg)"), handlers(program, "A", program.type("Ping")));
        assertEquals(List.of("A.on(Pong)"), handlers(program, "A", program.type("Pong")));
        assertEquals(List.of(), handlers(program, "A", program.type("Other")));
    }

    @Test
    public void unrelatedTypesOfOneMessageAreBothConsidered() {
        UserProgram program = new UserProgram("""
            interface Read {}
            interface Write {}
            record Swap() implements Read, Write {}
            class A extends Actor {
                @Handler(when = "yes") void on(Read m) {}
                @Handler(when = "yes") void on(Write m) {}
                boolean yes() { return true; }
            }""");

        assertEquals(List.of("A.on(Read)", "A.on(Write)"), handlers(program, "A", program.type("Swap")));
    }

    @Test
    public void handlersAreInherited() {
        UserProgram program = new UserProgram("""
            abstract class Base extends Actor { @Handler private void on(String m) {} }
            class A extends Base { @Handler void on(Integer m) {} }""");

        assertEquals(List.of("A.on(Integer)", "Base.on(String)"), labels(program, "A"));
    }

    @Test
    public void anOverriddenHandlerCountsOnceAndTheOverrideRuns() {
        UserProgram program = new UserProgram("""
            class Base extends Actor {
                String ran = "";
                @Handler void on(String m) { ran = "Base"; }
            }
            class A extends Base { @Override @Handler void on(String m) { ran = "A"; } }""");

        assertEquals(List.of("A.on(String)"), labels(program, "A"));
        assertEquals("A{ran=\"A\"}", program.show(program.step("A", "m").outcomes().get(0).local()));
        assertEquals(List.of("Base.on(String)"), labels(program, "Base"));
    }

    @Test
    public void anOverrideWithoutTheAnnotationIsAHandlerAllTheSame() {
        UserProgram program = new UserProgram("""
            class Base extends Actor {
                String ran = "";
                @Handler void on(String m) { ran = "Base"; }
            }
            class A extends Base { @Override void on(String m) { ran = "A"; } }""");

        assertEquals(List.of("Base.on(String)"), labels(program, "A"));
        assertEquals("A{ran=\"A\"}", program.show(program.step("A", "m").outcomes().get(0).local()));
    }

    @Test
    public void aHandlerOfATypeParameterThatIsOverriddenCountsOnce() {
        UserProgram program = new UserProgram("""
            abstract class Base<M> extends Actor { @Handler abstract void on(M m); }
            class A extends Base<String> { @Override @Handler void on(String m) {} }""");

        assertEquals(List.of("A.on(String)"), labels(program, "A"));
        assertEquals(List.of(), handlers(program, "A", Integer.class));
    }

    @Test
    public void anUnrelatedPrivateMethodOfASubclassHidesNoHandler() {
        UserProgram program = new UserProgram("""
            class Base extends Actor { String ran = ""; @Handler private void on(String m) { ran += "Base"; } }
            class A extends Base { private void on(String m) { ran += "A"; } }
            class B extends Base { @Handler(when = "yes") private void on(String m) {} boolean yes() { return true; } }
            """);

        assertEquals(List.of("Base.on(String)"), labels(program, "A"));
        assertEquals("A{ran=\"Base\"}", program.show(program.step("A", "m").outcomes().get(0).local()));
        assertEquals("B has two handlers for String, B.on(String) and Base.on(String): keep one, or give both a guard",
            assertThrows(UsageException.class, () -> labels(program, "B")).getMessage());
    }

    @Test
    public void handlersOfInterfacesAreFound() {
        UserProgram program = new UserProgram("""
            interface I<M> { @Handler void on(M m); }
            interface J { @Handler default void count(Long m) { on(m); } void on(Long m); }
            interface K extends J { @Handler default void count(Long m) {} }
            class A extends Actor implements I<String>, J, K {
                int n;
                @Handler public void on(String m) { n = 7; }
                public void on(Long m) { n = 3; }
            }
            class B extends A implements K { @Override public void count(Long m) { n = 5; } }""");

        assertEquals(List.of("A.on(String)", "K.count(Long)"), labels(program, "A"));
        assertEquals("A{n=7}", program.show(program.step("A", "m").outcomes().get(0).local()));
        assertEquals("B{n=5}", program.show(program.step("B", 1L).outcomes().get(0).local()));
    }

    @Test
    public void aGuardIsWhatTheHandlersClassSees() {
        UserProgram program = new UserProgram("""
            abstract class Base extends Actor {
                @Handler(when = "ok") void on(String m) {}
                @Handler(when = "later") void on(Integer m) {}
                private boolean ok() { return true; }
            }
            class A extends Base {
                boolean ok() { return false; }
                private boolean ok(String m) { return false; }
                boolean later() { return true; }
            }
            class B extends Base { private boolean later() { return true; } }""");

        assertEquals("Base.ok is meant", 1, program.step("A", "m").outcomes().size());
        assertEquals("a subclass may add it", 1, program.step("A", 1).outcomes().size());
        assertEquals("Base.on(Integer) has no guard later: B needs a method boolean later(), (Integer) or (Integer,"
            + " ActorName)", assertThrows(UsageException.class, () -> labels(program, "B")).getMessage());
    }

    @Test
    public void aGuardOfATypeParameterMayBeOverridden() {
        UserProgram program = new UserProgram("""
            abstract class Base<M> extends Actor { boolean ok(M m) { return false; } }
            class A extends Base<String> {
                @Handler(when = "ok") void on(String m) {}
                @Override boolean ok(String m) { return true; }
            }""");

        assertEquals(1, program.step("A", "m").outcomes().size());
    }

    @Test
    public void aPublicHandlerOfAHiddenAncestorIsFound() {
        UserProgram program = new UserProgram("""
            class Base extends Actor { @Handler public void on(String m) {} }
            class Holder { public static class A extends Base {} }""");

        assertEquals(List.of("Base.on(String)"), labels(program, "Holder$A"));
    }

    @Test
    public void aHandlerMayTakeTheSender() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                ActorName from;
                @Handler void on(String m, ActorName sender) { from = sender; }
            }""");

        assertEquals(List.of("A.on(String, ActorName)"), labels(program, "A"));
        assertEquals("A{from=b}", program.show(program.step("A", "m").outcomes().get(0).local()));
    }

    @Test
    public void theSenderOfTheScenariosMessagesIsNull() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                boolean isScenario;
                @Handler void on(String m, ActorName sender) { isScenario = sender == null; }
            }""");
        Envelope message = new Envelope("", "a", program.codec().encode("m"));

        Outcome outcome = UserProgram.answer(program.steps(true), program.local("A"), message).outcomes().get(0);

        assertEquals("A{isScenario=true}", program.show(outcome.local()));
    }

    @Test
    public void aGuardTakesNothingOrTheMessageOrTheSenderToo() {
        for (String guard : List.of("ok() { return open; }", "ok(String m) { return open && m.equals(\"m\"); }",
                "ok(Object m) { return open && m.equals(\"m\"); }",
                "ok(String m, ActorName from) { return open && from.toString().equals(\"b\"); }")) {
            UserProgram program = new UserProgram("class A extends Actor { boolean open; A(boolean o) { open = o; }"
                + " @Handler(when = \"ok\") void on(String m) {} private boolean " + guard + " }");
            Steps steps = program.steps(true);

            assertEquals(guard, 1, UserProgram.answer(steps, program.local("A", true), program.message("m")).outcomes().size());
            assertEquals(guard, 0, UserProgram.answer(steps, program.local("A", false), program.message("m")).outcomes().size());
        }
    }

    @Test
    public void aGuardMayBeInheritedOrOverridden() {
        UserProgram program = new UserProgram("""
            class Base extends Actor {
                @Handler(when = "ok") void on(String m) {}
                boolean ok() { return true; }
            }
            class Same extends Base { @Handler(when = "ok") void on(Integer m) {} }
            class Closed extends Base { @Override boolean ok() { return false; } }""");

        assertEquals(1, program.step("Same", 7).outcomes().size());
        assertEquals(0, program.step("Closed", "m").outcomes().size());
    }

    @Test
    public void severalGuardedHandlersMayTakeOneMessage() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                @Handler(when = "yes") void one(String m) {}
                @Handler(when = "yes") void two(String m) {}
                @Handler(when = "no") void three(String m) {}
                boolean yes() { return true; }
                boolean no() { return false; }
            }""");

        assertEquals(List.of("A.one(String)", "A.two(String)"),
            program.step("A", "m").outcomes().stream().map(Outcome::handler).toList());
    }

    @Test
    public void wrongHandlersAreToldInOneLine() {
        String mend = " cannot be a handler: it must take a message, and may take the sender (an ActorName) after it";

        assertWrong("@Handler void on() {}", "A.on()" + mend);
        assertWrong("@Handler void on(String m, ActorName from, int n) {}", "A.on(String, ActorName, int)" + mend);
        assertWrong("@Handler static void on(String m) {}",
            "A.on(String) cannot be a handler: it must return nothing and not be static");
        assertWrong("@Handler void on(A m) {}", "A.on(A) cannot be a handler: A cannot be a message");
    }

    @Test
    public void aMissingGuardIsToldInOneLine() {
        String message = "A.on(String) has no guard ok: A needs a method boolean ok(), (String) or (String, ActorName)";
        for (String guard : List.of("", "int ok() { return 1; }", "static boolean ok() { return true; }",
                "boolean ok(Integer m) { return true; }", "boolean ok(String m, int n) { return true; }",
                "Boolean ok() { return true; }")) {
            assertWrong("@Handler(when = \"ok\") void on(String m) {} " + guard, message);
        }
    }

    private static void assertWrong(String members, String message) {
        UserProgram program = new UserProgram("class A extends Actor { " + members + " }");
        assertEquals(message,
            assertThrows(UsageException.class, () -> ActorClass.of(program.type("A"))).getMessage());
    }

    private static List<String> labels(UserProgram program, String type) {
        return ActorClass.of(program.type(type)).handlers().stream()
            .map(ActorClass.HandlerMethod::label).toList();
    }

    private static List<String> handlers(UserProgram program, String type, Class<?> message) {
        return ActorClass.of(program.type(type)).handlersFor(message).stream()
            .map(ActorClass.HandlerMethod::label).toList();
    }
}
