package harrier.runtime.rules;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.LoadedProgram;
import harrier.runtime.Options;
import harrier.runtime.UserProgram;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.Envelope;
import harrier.runtime.step.Outcome;
import harrier.runtime.step.Steps;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Programs in which each actor has its own static fields ({@code statics=state}). */
public class OwnStaticsTest {
    private static final String LISTS = "static final List<Long> LIST = new ArrayList<>(List.of(7L)); List<Long> mine;";

    @Test
    public void eachActorCountsForItself() {
        Program program = new Program("static int count = 3;", "n = ++count;");
        byte[] start = program.start();

        byte[] once = program.step(start, 1);
        assertEquals("4", program.n(once));
        byte[] twice = program.step(once, 1);
        assertEquals("5", program.n(twice));
        assertEquals("nothing is left of the steps before", "4", program.n(program.step(start, 1)));
        assertEquals("[static A.count]", program.beside(twice).toString());
    }

    @Test
    public void whatIsAsItWasAtFirstIsNotInTheState() {
        Program program = new Program("static int count; static final Map<Long, Long> MAP = new HashMap<>();",
            "count += m; if (m > 0) MAP.put(m, m); else MAP.clear();");
        byte[] start = program.start();

        byte[] on = program.step(start, 1);
        assertEquals("[static A.MAP, static A.count]", program.beside(on).toString());
        assertArrayEquals(start, program.step(on, -1));
    }

    @Test
    public void finalFieldsHoldTheActorsOwn() {
        Program program = new Program("static final Map<Long, List<Long>> MAP = new HashMap<>();"
            + " static final int[] ARRAY = {5}; static final List<int[]> FIXED = List.of(new int[1]);",
            "MAP.computeIfAbsent(m, k -> new ArrayList<>()).add(m); ARRAY[0]++; FIXED.get(0)[0] += 2;"
            + " n = MAP.get(m).size() * 100 + ARRAY[0] * 10 + FIXED.get(0)[0];");
        byte[] state = program.start();

        for (int i = 1; i <= 30; i++) { // often enough to be compiled
            state = program.step(state, 1);
            assertEquals(String.valueOf(i * 100 + (5 + i) * 10 + 2 * i), program.n(state));
            assertEquals("162", program.n(program.step(program.start(), 1)));
        }
    }

    @Test
    public void sharingWithTheActorSurvives() {
        Program program = new Program(LISTS, "if (m == 0) mine = LIST; else mine.add(m); n = LIST.size() + (mine == LIST ? 10 : 0);");

        byte[] shared = program.step(program.start(), 0);
        assertEquals("[static A.LIST]", program.beside(shared).toString());
        assertEquals("11", program.n(shared));
        assertEquals("12", program.n(program.step(shared, 1)));
        assertArrayEquals(shared, program.step(shared, 0));
    }

    @Test
    public void sharingAmongFieldsSurvives() {
        Program program = new Program("static final List<Long> ONE = new ArrayList<>(); static List<Long> other = ONE;",
            "if (m == 0) other = new ArrayList<>(other); else ONE.add(m); n = other.size();");

        assertEquals("1", program.n(program.step(program.start(), 1)));
        byte[] apart = program.step(program.start(), 0);
        assertFalse("equal, but no longer one", program.beside(apart).isEmpty());
        assertEquals("0", program.n(program.step(apart, 1)));
    }

    @Test
    public void aFieldMayHoldTheActorItself() {
        Program program = new Program("static A last;", "if (last != null && last != this) throw new IllegalStateException();"
            + " last = this; last.n++;");

        assertEquals("2", program.n(program.step(program.step(program.start(), 1), 1)));
    }

    private static final String LATE = """
        static int seen = 1;
        static class Late { static int first = seen; static final List<Long> LIST = new ArrayList<>(List.of(1L)); }
        enum E { X; int n; }
        """;

    @Test
    public void itDoesNotMatterWhichClassesWereInitialized() {
        String handler = "seen = 9; if (m == 1) { Late.LIST.add(2L); E.X.n++; } n = Late.first * 1000 + Late.LIST.size() * 10 + E.X.n;";
        Program program = new Program(LATE, handler);
        Program other = new Program(LATE, handler);
        byte[] once = program.step(program.start(), 1);

        assertEquals("1021", program.n(once));
        assertEquals("[static A$E.X.n, static A$Late.LIST, static A.seen]", program.beside(once).toString());
        assertEquals("1032", other.n(other.step(once, 1)));
        assertArrayEquals(program.step(once, 1), other.step(once, 1));
        assertArrayEquals(other.step(other.start(), 0), program.step(program.start(), 0));
    }

    @Test
    public void anInitializerThatMeddlesWithOthersIsRefused() {
        assertRefused("the static initializer of A$Late, which runs during a step, changes what the static field A.seen holds:",
            "static int seen; static class Late { static int n = 1; static { seen = 3; } }", "n = Late.n;");
        assertRefused("the static initializer of A$Late, which runs during a step, refers to what the static field A.LIST holds:",
            LISTS + " static class Late { static List<Long> again = LIST; }", "n = Late.again.size();");
        assertRefused("a, A.on(Long): a static initializer fails",
            "static class Late { static int n; static { if (n == 0) throw new IllegalStateException(); } }",
            "try { n = Late.n; } catch (Throwable t) { n = 1; }");
    }

    @Test
    public void childrenStartWithWhatThereWasAtFirst() {
        Program program = new Program("static int count = 1; static class C extends Actor { int k;"
            + " protected void start() { k = count++; } @Handler void on(Long m) { k += count; } }",
            "count = 50; create(\"c\", new C()); n = count;");

        Outcome outcome = program.outcomes(program.start(), 1).get(0);
        assertEquals("50", program.n(outcome.local()));
        ActorState child = outcome.creates().get(0);
        assertEquals("1", program.field(child.local(), "k"));
        assertEquals("[static A.count]", program.beside(child.local()).toString());
        assertRefused("static A.LIST cannot be each actor's own: the new actor a/c1 reaches what it holds",
            LISTS + " static class C extends Actor { List<Long> of; C(List<Long> of) { this.of = of; } }",
            "create(\"c\", new C(LIST));");
    }

    @Test
    public void anActorThatReachesAStaticFromTheStartIsRefused() {
        RuleException refusal = assertThrows(RuleException.class,
            () -> new Program("static final List<Long> LIST = new ArrayList<>(); final List<Long> mine = LIST;", ""));
        assertEquals("S.setUp: a reaches what the static field A.LIST holds, and each actor is to have its own: give the"
            + " actor a copy, or take statics=frozen, which gives it one", refusal.getMessage());
    }

    @Test
    public void whatCannotBeCapturedIsRefusedWithTheField() {
        assertRefused("field static A.LIST[0] holds a java.lang.Thread, which cannot be captured:",
            "static final List<Object> LIST = new ArrayList<>();", "LIST.add(new Thread());");
        assertRefused("static A$I.LIST cannot be each actor's own: it is a field of an interface",
            "interface I { List<Long> LIST = new ArrayList<>(); }", "I.LIST.add(1L);");
    }

    @Test
    public void guardsMustNotChangeStatics() {
        String text = "class A extends Actor { static int count; @Handler(when = \"g\") void on(Long m) { }"
            + " boolean g(Long m) { return count++ == 0; } }";
        Program program = new Program(text);

        assertTrue(assertThrows(RuleException.class, () -> program.step(program.start(), 1)).getMessage()
            .startsWith("the guard of A.on(Long) changes the state of a"));
    }

    @Test
    public void theOrderOfAHashSetInAStaticIsTurnedRound() {
        Program program = new Program("static final Set<Long> SET = new HashSet<>(List.of(1L, 2L, 3L));",
            "n = SET.iterator().next();");

        assertThrows(Steps.DifferenceException.class, () -> program.step(program.start(), 1));
    }

    @Test
    public void aPropertyReadsWhatCannotChange() {
        Program program = new Program("static int count; static final int MAX = 3; static final List<Long> EMPTY = List.of();",
            "count++;", "@Invariant boolean fine() { return actors(A.class).allMatch(a -> a.n < A.MAX + A.EMPTY.size()); }");

        assertTrue(program.evaluate("fine"));
    }

    @Test
    public void aCrashLosesThem() {
        Program program = new Program("static int count;", "n = ++count;", "", "faults().crashes(1);");
        byte[] state = program.step(program.step(program.start(), 1), 1);

        byte[] again = UserProgram.restart(program.loaded.steps(), state).outcomes().get(0).local();
        assertEquals("1", program.n(program.step(again, 1)));
    }

    private static void assertRefused(String part, String members, String statements) {
        Program program = new Program(members, statements);
        String text = assertThrows(RuleException.class, () -> program.step(program.start(), 1)).getMessage();
        assertTrue(text, text.contains(part));
    }

    /** A scenario with one actor, a, of class A. */
    private static final class Program {
        private final LoadedProgram loaded;
        private final Codec own;

        Program(String members, String handler) {
            this(members, handler, "");
        }

        Program(String members, String handler, String properties) {
            this(members, handler, properties, "");
        }

        Program(String members, String handler, String properties, String setUp) {
            this("class A extends Actor { " + members.replace("\n", " ") + " long n; @Handler void on(Long m) { " + handler
                + " } }", "create(\"a\", new A()); " + setUp, properties, true);
        }

        Program(String actors) {
            this(actors, "create(\"a\", new A());", "", true);
        }

        private Program(String actors, String setUp, String properties, boolean whole) {
            ProgramClasses classes = UserProgram.compile(actors + " class S extends Scenario { protected void setUp() { " + setUp + " } "
                + properties + " }");
            loaded = LoadedProgram.load(classes, "here", "", Map.of(),
                new Options(Recheck.ALL, false, Rules.parse("--allow", List.of("statics=state"))));
            own = new Codec(loaded.loader(), loaded.loader()::defined);
        }

        byte[] start() {
            return loaded.initial().creates().get(0).local();
        }

        List<Outcome> outcomes(byte[] local, long message) {
            loaded.loader().enter();
            return UserProgram.answer(loaded.steps(), local, new Envelope("", "a", own.encode(message))).outcomes();
        }

        byte[] step(byte[] local, long message) {
            List<Outcome> outcomes = outcomes(local, message);
            assertEquals(1, outcomes.size());
            assertEquals(null, outcomes.get(0).failure());
            return outcomes.get(0).local();
        }

        boolean evaluate(String property) {
            List<String> names = loaded.evaluator().properties().stream().map(p -> p.name()).toList();
            return UserProgram.evaluate(loaded.evaluator(), names.indexOf(property), new byte[0], loaded.initial().creates()).holds();
        }

        String n(byte[] local) {
            return field(local, "n");
        }

        String field(byte[] local, String name) {
            try {
                Object actor = state(local).actor();
                java.lang.reflect.Field field = actor.getClass().getDeclaredField(name);
                field.setAccessible(true);
                return String.valueOf(field.get(actor));
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        java.util.Set<String> beside(byte[] local) {
            return state(local).beside().keySet();
        }

        private LocalState state(byte[] local) {
            return own.decodeLocalState(local);
        }
    }
}
