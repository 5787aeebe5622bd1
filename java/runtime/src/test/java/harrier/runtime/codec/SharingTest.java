package harrier.runtime.codec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.LiveDump;
import harrier.runtime.Restored;
import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.failure.RuleException;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;

/** Actors that could change what another one sees, and actors that only look at the same. */
public class SharingTest {
    private static final String PROGRAM = """
        class Counter { int n; }
        class Tick implements Runnable { int n; public void run() { n++; } }
        class Fixed { final int n = 3; final List<Integer> all = List.of(1); }
        class Box { final Object inside; Box(Object inside) { this.inside = inside; } }
        class Failed extends RuntimeException { int n; }
        class Statics {
            static final Box BOX = new Box(new ArrayList<>());
            static final Fixed FIXED = new Fixed();
            static final int[] NONE = {};
            static final Comparator<String> ORDER = Comparator.comparing(String::length);
        }
        enum Level { LOW; final int[] counts = new int[1]; }
        class Late { static final Counter ONE = new Counter(); static final List<Integer> MANY = new ArrayList<>(); static final Box BOX = new Box(new Counter()); }
        class Lazy {
            static Counter one; static final Map<String, Object> ALL = new HashMap<>();
            static Counter get() { if (one == null) { one = new Counter(); } return one; }
            static { ALL.put("k", new ArrayList<>()); get(); }
        }
        class A extends Actor {
            Object held; Object more;
            A(Object held) { this.held = held; }
            A(Object held, Object more) { this.held = held; this.more = more; }
            @Handler void on(Integer n) {
                Counter c = new Counter();
                if (n == 1) { create("child", new A(c)); held = new Box(c); }
                if (n == 2) { create("one", new A(c)); create("two", new A(c)); }
                if (n == 3) { create("child", new A(c)); c.n++; }
                if (n == 4) { Counter mine = (Counter) held; create("child", new A(mine)); }
                if (n == 6) { held = Late.BOX.inside; }
                if (n == 7) { held = Late.ONE; }
                if (n == 8) { more = held == Late.ONE || held == Late.MANY; }
                if (n == 10) { held = Late.MANY; }
                if (n == 9) { ((Counter) held).n++; }
                if (n == 12) { more = held == TAKEN; }
                if (n == 13) {
                    if (held instanceof Counter c2) { c2.n++; } else if (held instanceof List l) { l.add(n); } else { ((int[]) held)[0]++; }
                }
                if (n == 14) { held = null; }
                if (n == 11) { Late.MANY.add(n); }
                if (n == 5) { create("child", new A(held)); held = null; more = null; }
            }
        }
        class S extends Scenario {
            Object kept;
            protected void setUp() { SETUP }
            @Invariant boolean p() { return true; }
        }""";

    @Rule
    public final Restored restored = new Restored();

    private static void allowed(String setUp) {
        Loading.load(UserProgram.compile(PROGRAM.replace("SETUP", setUp).replace("TAKEN", "null")), "here", "", Map.of(), Options.STANDARD);
    }

    private static void refused(String setUp, String type, String path, String otherPath) {
        String message = assertThrows(RuleException.class, () -> allowed(setUp)).getMessage();
        assertEquals("S.setUp: field " + path + " of b holds the same " + type + " as field " + otherPath
            + " of a: actors must not share what can change; give each its own, or one that cannot change", message);
    }

    @Test
    public void whatOneCanChange() {
        refused("Counter c = new Counter(); create(\"a\", new A(c)); create(\"b\", new A(List.of(1, c)));",
            "Counter", "held[1]", "held");
        refused("List<Object> l = new ArrayList<>(); create(\"a\", new A(l)); create(\"b\", new A(new Box(l)));",
            "java.util.ArrayList", "held.inside", "held");
        refused("int[] n = {1}; create(\"a\", new A(0, n)); create(\"b\", new A(n));", "int[]", "held", "more");
        refused("Runnable r = new Tick();"
            + " Runnable s = () -> r.run(); create(\"a\", new A(Map.of(\"k\", s))); create(\"b\", new A(s));",
            "Tick", "held.captured1", "held[\"k\"].captured1");
        refused("Random r = new Random(1); create(\"a\", new A(r)); create(\"b\", new A(r));",
            "java.util.Random", "held", "held");
        refused("Counter c = new Counter(); Object s = new HashSet<>(Set.of(c)); c.n++; create(\"a\", new A(s)); create(\"b\", new A(c));",
            "Counter", "held", "held[*]");
    }

    @Test
    public void whatNobodyCanChange() {
        allowed("List<Object> l = List.of(1, Optional.of(\"x\")); Object f = new Fixed(); Object b = new Box(f);"
            + " for (String n : l.toString().split(\"\")) { }"
            + " create(\"a\", new A(l, b)); create(\"b\", new A(l, b)); create(\"c\", new A(new Object[0], f));");
        allowed("Object o = new Object(); Runnable r = () -> { }; Exception e = new Exception(); int[] none = {};"
            + " create(\"a\", new A(List.of(o, none), List.of(r, e))); create(\"b\", new A(List.of(o, none), List.of(r, e)));");
        allowed("Counter c = new Counter(); create(\"a\", new A(c, c));");
    }

    /** Both actors only see an unmodifiable view of what the scenario alone could change. */
    @Test
    public void views() {
        String view = "List<Object> l = new ArrayList<>(List.of(1)); Object v = Collections.unmodifiableList(l);";
        allowed(view + "create(\"a\", new A(v, v)); create(\"b\", new A(v)); create(\"c\", new A(Collections.unmodifiableList(l)));");
        refused(view + "create(\"a\", new A(v)); create(\"b\", new A(l));", "java.util.ArrayList", "held", "held.c");
        refused(view + "create(\"a\", new A(v, l)); create(\"b\", new A(v));", "java.util.ArrayList", "held.c", "more");
        refused("Counter c = new Counter(); Object v = Collections.unmodifiableSet(new HashSet<>(List.of(c)));"
            + "create(\"a\", new A(v)); create(\"b\", new A(v));", "Counter", "held.c[*]", "held.c[*]");
    }

    @Test
    public void childrenAndTheirParent() {
        String suffix = ": actors must not share what can change; give each its own, or one that cannot change";
        UserProgram program = new UserProgram(PROGRAM.replace("SETUP", "").replace("TAKEN", "null"));
        assertEquals("a, A.on(Integer): field held.inside of a holds the same Counter as field held of a/child1" + suffix,
            assertThrows(RuleException.class, () -> step(program, 1, null)).getMessage());
        assertEquals("a, A.on(Integer): field held of a/two2 holds the same Counter as field held of a/one1" + suffix,
            assertThrows(RuleException.class, () -> step(program, 2, null)).getMessage());
        assertTrue(assertThrows(RuleException.class, () -> step(program, 3, null)).getMessage()
            .startsWith("a, A.on(Integer): a/child1 was changed after it was created"));
        assertEquals("a, A.on(Integer): field held of a holds the same Counter as field held of a/child1" + suffix,
            assertThrows(RuleException.class, () -> step(program, 4, program.make("Counter"))).getMessage());
        step(program, 5, program.make("Counter"));
    }

    /** An exception that the program can change is an object like any other. */
    @Test
    public void exceptionsWithFields() {
        refused("Failed f = new Failed(); create(\"a\", new A(f)); create(\"b\", new A(f));", "Failed", "held", "held");
    }

    private static void held(String setUp, String rest) {
        String message = assertThrows(RuleException.class, () -> allowed(setUp)).getMessage();
        assertEquals("S.setUp: field " + rest, message);
    }

    @Test
    public void whatTheScenarioHolds() {
        String mend = " of the scenario: that one stays as it is after the set-up: give the actor its own, and read what an"
            + " actor has with actor(name, ...)";
        held("kept = new ArrayList<>(); create(\"a\", new A(kept));",
            "held of a holds the same java.util.ArrayList as field kept" + mend);
        held("int[] n = {1}; create(\"a\", new A(n)); kept = new Object[] {Thread.currentThread(), new Box(n)};",
            "held of a holds the same int[] as field kept[1].inside" + mend);
        held("kept = EnumSet.of(Level.LOW); create(\"a\", new A(kept));",
            "held of a holds the same java.util.EnumSet as field kept" + mend);
        held("A a = new A(1); create(\"a\", a); kept = List.of(a);", "kept[0] of the scenario holds the actor a itself,"
            + " which stays as it is after the set-up: hold the ActorName that create returns, and read the actor with"
            + " actor(name, ...)");
        allowed("kept = List.of(1, \"x\", new Fixed()); create(\"a\", new A(kept)); kept = List.of(kept, new int[1], new A(1));");
    }

    @Test
    public void whatStaticFieldsHold() {
        allowed("create(\"a\", new A(1, Statics.BOX.inside)); create(\"b\", new A(1, Statics.BOX.inside));");
        allowed("create(\"a\", new A(Level.LOW.counts));");
        allowed("create(\"a\", new A(Statics.FIXED, Statics.NONE)); create(\"b\", new A(Level.LOW, Statics.ORDER));");
    }

    /** A class that is initialized in a step has static fields, too. */
    @Test
    public void whatStaticFieldsHoldInSteps() {
        assertEquals("a, A.on(Integer): field held of a holds the same Counter as the static field Late.BOX.inside: actors share"
            + " nothing but messages: give the actor its own, or one that cannot change; --allow statics=frozen gives it a copy",
            assertThrows(RuleException.class, () -> steps(Options.STANDARD, 6)).getMessage());
        steps(FROZEN, 6); // has a copy
    }

    /** What constructors took from a static field is a constant that actors share, until a step changes it. */
    @Test
    public void takenBySetUps() {
        String setUp = "for (String name : List.of(\"a\", \"b\")) { create(name, new A(TAKEN)); }";
        for (String taken : List.of("Lazy.get()", "Statics.BOX.inside", "Level.LOW.counts", "Lazy.ALL.get(\"k\")")) {
            String text = PROGRAM.replace("SETUP", setUp.replace("TAKEN", taken)).replace("TAKEN", taken);
            assertTrue(taken, taken(text, Options.STANDARD, 12, 14).contains("more=true"));
            assertTrue(taken, taken(text, FROZEN, 12, 14).contains("more=true"));
            String message = assertThrows(RuleException.class, () -> taken(text, Options.STANDARD, 13)).getMessage();
            assertTrue(message, message.startsWith("a, A.on(Integer): what the static field "));
            assertTrue(taken, taken(text, FROZEN, 13, 12, 14).contains("more=false"));
        }
        assertThrows(RuleException.class, () -> allowed("Object o = new Counter(); create(\"a\", new A(o)); create(\"b\", new A(o));"));
    }

    private static String taken(String text, Options options, int... messages) {
        return LiveDump.of(steps(text, options, messages).actor());
    }

    /** What a static final field itself holds is shared, and stays what it is. */
    @Test
    public void constants() {
        allowed("for (String name : List.of(\"a\", \"b\")) { create(name, new A(Late.ONE, Map.of(1, Late.ONE))); }");
        assertTrue(more(Options.STANDARD, 7, 8));
        assertTrue("of a class that all programs have", more(Options.STANDARD, 10, 8));
        assertEquals("a, A.on(Integer): what the static field Late.ONE holds changes: actors share nothing but messages: keep it in a"
            + " field of the actor; --allow statics=frozen puts it back after each step",
            assertThrows(RuleException.class, () -> steps(Options.STANDARD, 7, 9)).getMessage());
        assertFalse("has a copy", more(FROZEN, 7, 9, 8));
        assertTrue("has a copy", LiveDump.of(steps(FROZEN, 7, 9, 9).actor()).contains("n=2"));
        assertTrue("did not change what it keeps", more(FROZEN, 7, 11, 8));
    }

    private static final Options FROZEN = new Options(Recheck.ALL, false, Rules.parse("", List.of("statics=frozen")));

    private static boolean more(Options options, int... messages) {
        return LiveDump.of(steps(options, messages).actor()).contains("more=true");
    }

    private static LocalState steps(Options options, int... messages) {
        return steps(PROGRAM.replace("SETUP", "create(\"a\", new A(1));"), options, messages);
    }

    private static LocalState steps(String text, Options options, int... messages) {
        LoadedProgram program = Loading.load(UserProgram.compile(text.replace("TAKEN", "null")), "here", "", Map.of(), options);
        Codec codec = new Codec(program.loader(), program.loader()::defined);
        byte[] local = program.initial().creates().get(0).local();
        for (int message : messages) {
            local = UserProgram.answer(program.steps(), local, new Envelope("", "a", codec.encode(message))).outcomes().get(0).local();
        }
        return codec.decodeLocalState(local);
    }

    private static void step(UserProgram program, int message, Object held) {
        harrier.Actor actor = make(program, held);
        UserProgram.answer(program.steps(true), program.codec().encode(new LocalState("a", 0, actor, Map.of())), program.message(message));
    }

    private static harrier.Actor make(UserProgram program, Object held) {
        try {
            java.lang.reflect.Constructor<?> maker = program.type("A").getDeclaredConstructor(Object.class);
            maker.setAccessible(true);
            return (harrier.Actor) maker.newInstance(held);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
