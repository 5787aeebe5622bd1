package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.failure.RuleException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;

/** A step must be a function of its input; what keeps it from that is told, never explored. */
public class RulesTest {
    @Test
    public void theScenariosMessageWithoutHandlerIsToldWithTheMend() {
        UserProgram program = new UserProgram("class A extends Actor {}");
        Envelope message = new Envelope("", "a", program.codec().encode("m"));

        assertEquals("a has no handler for String, which the scenario sends: add \"@Handler void on(String m)\" to A",
            assertThrows(RuleException.class, () -> UserProgram.answer(program.steps(true), program.local("A"), message))
                .getMessage());
    }

    @Test
    public void aGuardThatChangesTheStateIsRefusedThoughItIsFalse() {
        assertRule("""
            class A extends Actor {
                List<Integer> asked = new ArrayList<>();
                @Handler(when = "ok") void on(String m) {}
                boolean ok() { asked.add(1); return false; }
            }""", "the guard of A.on(String) changes the state of a: a guard must only read");
    }

    @Test
    public void aGuardThatLeavesWhatCannotBeCapturedIsRefused() {
        assertTrue(rule("""
            class A extends Actor {
                Object o;
                @Handler(when = "ok") void on(String m) {}
                boolean ok() { o = new Thread(); return true; }
            }""").getMessage().startsWith("a, A.on(String): field o holds "));
    }

    /** A table of 16 has 16 before 1, a larger one has 1 before 16. */
    @Test
    public void aHandlerThatDependsOnTheOrderOfAHashSetDiffers() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                Set<Integer> set = new HashSet<>();
                int first;
                A(Set<Integer> s) { set.addAll(s); }
                @Handler void on(String m) { first = set.iterator().next(); }
            }""");
        byte[] local = program.local("A", Set.of(1, 16));

        Steps.DifferenceException difference = difference(program, local, "m");

        assertEquals(local, difference.local());
        assertTrue(!program.show(difference.first().local()).equals(program.show(difference.second().local())));
    }

    @Test
    public void aHandlerThatDependsOnTheOrderOfASetInAMessageDiffers() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                @Handler void on(HashSet<Integer> m) { reply(m.iterator().next()); }
            }""");

        difference(program, program.local("A"), new HashSet<>(List.of(1, 16)));
    }

    @Test
    public void aHandlerThatDoesNotDependOnTheOrderPasses() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                Set<Integer> set = new HashSet<>();
                int sum;
                @Handler void on(HashSet<Integer> m) { set.addAll(m); for (int n : set) sum += n; reply(set); }
            }""");

        assertNull(program.step("A", new HashSet<>(List.of(1, 2, 300))).outcomes().get(0).failure());
    }

    @Test
    public void aStaticCounterDiffers() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                static int count;
                int n;
                @Handler void on(String m) { n = count++; }
            }""");

        Steps.DifferenceException difference = difference(program, program.local("A"), "m");

        assertEquals("A{n=0}", program.show(difference.first().local()));
        assertEquals("A{n=1}", program.show(difference.second().local()));
    }

    @Test
    public void sendsCreatesAndFailuresThatDifferAreFound() {
        for (String statement : new String[] {"reply(count++);", "send(self(), count++); reply(0);",
                "if (count++ == 0) reply(0);", "create(\"x\", new Child(count++));",
                "if (count++ == 0) create(\"x\", new Child(0));",
                "throw count++ == 0 ? new IllegalStateException() : new IllegalArgumentException();",
                "if (count++ == 0) throw new IllegalStateException();",
                "if (count++ == 1) throw new IllegalStateException();", "if (count++ == 0) choose(1);",
                "invoked(count++);", "returned(count++);", "if (count++ == 0) invoked(0); else returned(0);",
                "if (count++ == 0) invoked(0);"}) {
            UserProgram program = new UserProgram("class Child extends Actor { int n; Child(int n) { this.n = n; } }"
                + " class A extends Actor { static int count; @Handler void on(String m) { " + statement + " } }");

            difference(program, program.local("A"), "m");
        }
    }

    @Test
    public void theOrderOfSendsAndTheTextsOfFailuresDoNotCount() {
        String ordered = """
            class A extends Actor {
                Set<Integer> set = new HashSet<>();
                A(Set<Integer> s) { set.addAll(s); }
                @Handler void on(String m) { for (int n : set) reply(n); }
                @Handler void on(Integer m) { throw new IllegalStateException("" + set); }
            }""";
        UserProgram program = new UserProgram(ordered);
        byte[] local = program.local("A", Set.of(1, 16));

        for (Object message : new Object[] {"m", 1}) {
            assertEquals(1, UserProgram.answer(program.steps(true), local, program.message(message)).outcomes().size());
        }
    }

    /** Which of two equal-looking objects comes first in a set does not show, but which of them was chosen does. */
    private static final String TWINS = """
        class Twin { int n; }
        class Twins {
            Set<Twin> set = new HashSet<>();
            Twin chosen = new Twin();
            Twins() { set.add(new Twin()); set.add(chosen); }
        }
        """;

    @Test
    public void aStateOfSeveralEncodingsIsNotBlamedOnTheHandler() {
        UserProgram program = new UserProgram(TWINS + """
            class A extends Actor {
                Twins twins = new Twins();
                int count;
                @Handler(when = "ok") void on(String m) { count++; }
                boolean ok() { return true; }
                @Handler(when = "first") void on(Integer m) {}
                boolean first() { return twins.set.iterator().next() == twins.chosen; }
                @Handler void on(Long m) { choose(first() ? 1 : 2); }
            }""");

        assertEquals(1, program.step("A", "m").outcomes().size());
        program.step("A", 1);
        program.step("A", 1L);
    }

    @Test
    public void aMessageOfSeveralEncodingsIsNotBlamedOnTheHandler() {
        UserProgram program = new UserProgram(TWINS + """
            class A extends Actor { Twins held; @Handler void on(Twins m) { held = m; } }""");

        assertEquals(1, program.step("A", program.make("Twins")).outcomes().size());
    }

    @Test
    public void whatIsThrownWhileASetIsMadeAnewIsABrokenRule() {
        for (String thrown : new String[] {"AssertionError", "StackOverflowError", "IllegalStateException"}) {
            assertRule("""
                class Key {
                    static boolean bad;
                    public int hashCode() { if (bad) throw new THROWN(); return 1; }
                }
                class A extends Actor {
                    Set<Key> set = new HashSet<>();
                    A() { set.add(new Key()); Key.bad = true; }
                    @Handler void on(String m) {}
                }""".replace("THROWN", thrown), "making the state of an actor anew fails: " + thrown
                + ": hashCode, equals and compareTo must work on every value that a collection holds");
        }
    }

    @Test
    public void differencesAreOnlyFoundIfAskedFor() {
        UserProgram program = new UserProgram(
            "class A extends Actor { static int count; @Handler void on(String m) { reply(count++); } }");

        assertEquals(1, UserProgram.answer(program.steps(false), program.local("A"), program.message("m")).outcomes().size());
    }

    @Test
    public void exitStaysRefusedWhenItIsCaught() {
        for (String exit : new String[] {"System.exit(1)", "Runtime.getRuntime().halt(1)"}) {
            RuleException refusal = rule("class A extends Actor { @Handler void on(String m) { try { " + exit
                + "; } catch (Throwable e) { } } }");
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("what is checked must not end the process"));
        }
    }

    @Test
    public void exitInAGuardIsRefusedAndNotBlamedOnTheNextStep() {
        UserProgram program = new UserProgram("""
            class A extends Actor {
                @Handler(when = "ok") void on(String m) {}
                boolean ok() { try { System.exit(1); } catch (Throwable e) { } return false; }
                @Handler void innocent(Integer m) {}
            }""");

        assertTrue(assertThrows(RuleException.class, () -> program.step("A", "m")).getMessage()
            .startsWith("a: A.ok calls System.exit (Program.java:3)"));
        assertEquals(1, program.step("A", 7).outcomes().size());
    }

    @Test
    public void aMessageThatCannotBeCapturedStaysRefusedWhenItIsCaught() {
        rule("""
            class A extends Actor {
                @Handler void on(String m) { try { reply(new Thread()); } catch (RuntimeException e) { } }
            }""");
    }

    @Test
    public void anOperationThatCannotBeCapturedIsRefusedEvenIfItIsCaught() {
        for (String statement : new String[] {"invoked(new Thread());", "returned(new Thread());", "invoked(this);"}) {
            RuleException refusal = rule("class A extends Actor { @Handler void on(String m) { try { " + statement
                + " } catch (RuntimeException e) { } } }");
            assertTrue(refusal.getMessage(), refusal.getMessage().startsWith("a, A.on(String): an operation: the value is "));
        }
    }

    @Test
    public void aChildThatCannotBeCapturedIsRefused() {
        rule("class A extends Actor { Object o; @Handler void on(String m)"
            + " { A c = new A(); c.o = new Thread(); create(\"x\", c); } }");
    }

    @Test
    public void aClassThatCannotBeInitializedIsRefused() {
        assertRule("class Bad { static int n = 1 / 0; static int f() { return n; } }"
            + " class A extends Actor { @Handler void on(String m) { Bad.f(); } }",
            "A.on(String) needs the class Bad, whose static initializer failed: ArithmeticException: / by zero");
    }

    private static void assertRule(String text, String message) {
        assertEquals(message, rule(text).getMessage());
    }

    private static RuleException rule(String text) {
        UserProgram program = new UserProgram(text);
        return assertThrows(RuleException.class, () -> program.step("A", "m"));
    }

    private static Steps.DifferenceException difference(UserProgram program, byte[] local, Object message) {
        return assertThrows(Steps.DifferenceException.class,
            () -> UserProgram.answer(program.steps(true), local, program.message(message)));
    }
}
