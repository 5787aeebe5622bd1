package harrier.runtime.rules;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.Receivers;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.Test;

/** Programs that are set up and asked for steps, under rules that hold or are relaxed. */
public class GuardTest {
    @Test
    public void timeStartsWhereTheScenarioSaysForAllThatTellIt() {
        String says = "clock().startsAt(java.time.Instant.ofEpochMilli(5)); if (System.currentTimeMillis() != 5) throw new"
            + " IllegalStateException();";
        Asked program = new Asked("", "", says, "n = java.time.Clock.systemUTC().millis() * 100 + new Date().getTime() * 10"
            + " + clock().millis() + java.time.LocalDateTime.now().getYear() * 1000;");

        assertEquals("A{n=1970555}", program.ask());
        assertEquals("a step that moves the clock sees it moved", "A{n=75}", new Asked("", "", says,
            "n = System.currentTimeMillis(); clock().advance(java.time.Duration.ofMillis(2));"
            + " n += System.currentTimeMillis() * 10;").ask());
        assertEquals("[the time is read in A.on (Program.java:1) and 1 other: it stands still at 1970-01-01T00:00:00.005Z]",
            program.notes().toString());
    }

    @Test
    public void whoRunsAStepMaySayWhichTimeItIs() {
        Guard guard = new Guard(Rules.STRICT, new Notes(), Set.of());
        guard.begin();
        guard.clock(() -> Instant.ofEpochMilli(9));

        assertEquals(9, guard.control().now("A.on (A.java:1)").toEpochMilli());
        assertEquals(List.of(), guard.notes().list());
        guard.begin();
        assertEquals("the clock was the last execution's", 0, guard.control().now("A.on (A.java:1)").toEpochMilli());
    }

    /** Lib is no class of the program's own: it came along on the class path. */
    @Test
    public void librariesMayLookAroundWhenTheyAreInitialized() {
        String text = """
            class Lib {
                static final boolean THERE = new java.io.File("any").exists() || System.getenv("X") != null;
                static boolean late() { return new java.io.File("any").exists(); }
            }
            class A extends Actor { boolean b; @Handler void on(Long m) { b = STATEMENT; } }
            class S extends Scenario { protected void setUp() { create("a", new A()); } }
            """;
        UserProgram program = new UserProgram(text.replace("STATEMENT", "Lib.THERE"));
        ProgramClasses classes = new ProgramClasses(program.loader().classes().bytes(), Set.of("A", "S"));
        LoadedProgram loaded = Loading.load(classes, "here", "", Map.of(), Options.STANDARD);

        assertEquals(1, step(loaded, program).size());
        assertEquals(List.of("libraries are told of no environment when they are initialized: Lib.the static initializer"
            + " (Program.java:2)", "libraries look around when they are initialized, and may: Lib.the static initializer"
            + " (Program.java:2)"), loaded.loader().guard().notes().list());

        LoadedProgram own = Loading.load(program.loader().classes(), "here", "", Map.of(), Options.STANDARD);
        String ofOwn = assertThrows(RuleException.class, () -> step(own, program)).getMessage();
        assertTrue(ofOwn, ofOwn.startsWith("a: Lib.the static initializer calls File.exists (Program.java:2): "));

        UserProgram late = new UserProgram(text.replace("STATEMENT", "Lib.late()"));
        LoadedProgram loadedLate = Loading.load(new ProgramClasses(late.loader().classes().bytes(),
            Set.of("A", "S")), "here", "", Map.of(), Options.STANDARD);
        String refusal = assertThrows(RuleException.class, () -> step(loadedLate, late)).getMessage();
        assertTrue(refusal, refusal.startsWith("a: Lib.late calls File.exists (Program.java:3): "));
    }

    private static List<Outcome> step(LoadedProgram program, UserProgram codec) {
        ActorState a = program.initial().creates().get(0);
        return UserProgram.answer(program.steps(), a.local(), new Envelope("", "a", codec.codec().encode(1L))).outcomes();
    }

    @Test
    public void whatIsAllowedOfTheJdkMayBeCalledDirectlyAndByReflection() {
        String reflected = "try { n = ((String) java.beans.Introspector.class.getMethod(\"decapitalize\", String.class)"
            + ".invoke(null, \"X\")).length(); } catch (ReflectiveOperationException e) { }";
        for (String handler : new String[] {"n = java.beans.Introspector.decapitalize(\"X\").length();", reflected}) {
            assertEquals("A{n=1}", new Asked("", "", "", handler, "jdk=java.beans").ask());
            assertThrows(RuleException.class, () -> new Asked("", "", "", handler, "jdk=java.awt").ask());
        }
    }

    /** Whoever calls it: the JDK's own methods refuse. */
    @Test
    public void threadsAndExitsAreRefusedWithinTheJdk() {
        for (String call : new String[] {"Thread.class.getMethod(\"start\").invoke(new Thread(() -> { }))",
                "Runtime.class.getMethod(\"exit\", int.class).invoke(Runtime.getRuntime(), 0)",
                "Runtime.class.getMethod(\"halt\", int.class).invoke(Runtime.getRuntime(), 0)"}) {
            String refusal = assertThrows(RuleException.class, () -> new Asked("", "", "", "try { " + call
                + "; } catch (Throwable e) { }", "reflection=any").ask()).getMessage();
            String method = call.replaceFirst("(\\w+)\\.class.getMethod\\(\"(\\w+)\".*", "$1.$2");
            assertTrue(refusal, refusal.startsWith("a: A.on has the JDK call " + method + " (Program.java:1): "));
        }
    }

    @Test
    public void aSeedMakesRandomnessAFunctionOfTheStep() {
        Asked program = new Asked("", "", "", "n = new Random().nextInt(1000) * 1000 + new Random().nextInt(1000);"
            + " Collections.shuffle(new ArrayList<>(List.of(1, 2, 3))); UUID.randomUUID(); Math.random();"
            + " n = n * 1000 + java.util.concurrent.ThreadLocalRandom.current().nextInt(1000);", "randomness=seed:42");

        String first = program.ask();
        assertEquals(first, program.ask());
        assertTrue(first, first.startsWith("A{n=" + new java.util.Random(42).nextInt(1000)));
    }

    @Test
    public void uniqueDrawsDifferAndAreCounted() {
        Asked program = new Asked("", "", "", "n = UUID.randomUUID().equals(UUID.randomUUID()) ? 1"
            + " : new Random().nextLong() == new Random().nextLong() ? 2 : 3;", "randomness=unique:42");

        assertEquals(program.ask(), program.ask());
        assertEquals("A{n=3}", program.ask());
    }

    @Test
    public void declaredChoicesAreExplored() {
        assertEquals(Set.of("A{n=10}", "A{n=35}", "A{n=90}"), Set.copyOf(
            new Asked("", "", "", "n = (long) (Math.random() * 100);", "randomness=choice:0.1,0.35,0.9").all()));
        assertEquals(4, new Asked("", "", "", "new Random(); n = new Random().nextInt(100);", "randomness=choice:1,2").all().size());
    }

    @Test
    public void aChoiceOutsideOfAHandlerIsRefused() {
        assertTrue(assertThrows(RuleException.class, () -> new Asked("", "", "double d = Math.random();", "",
            "randomness=choice:0.1")).getMessage().contains("randomness=choice works in handlers only"));
    }

    @Test
    public void whatAStaticFieldHoldsMustNotChange() {
        String start = "a, A.on(Long): what the static field ";
        assertRefused(start + "A.TABLE holds changes: ", "static final Map<String, Integer> TABLE = new HashMap<>();",
            "TABLE.put(\"a\", 1);");
        assertRefused(start + "A.array holds changes: ", "static final int[] array = {1};", "array[0]++;");
        assertRefused(start + "A.COUNT holds changes: ",
            "static final java.util.concurrent.atomic.AtomicInteger COUNT = new java.util.concurrent.atomic.AtomicInteger();",
            "COUNT.incrementAndGet();");
        assertRefused(start + "A.E.n holds changes: ", "enum E { X; int n; }", "E.X.n++;");
        assertRefused(start + "A.plain holds changes: ", "static int plain;",
            "try { A.class.getDeclaredField(\"plain\").set(null, 4); } catch (ReflectiveOperationException e) { n = 1; }");
        assertRefused(start + "A.Lazy.LIST holds changes: ", "static class Lazy { static final List<Long> LIST ="
            + " new ArrayList<>(); static { LIST.add(7L); } }", "Lazy.LIST.add(1L);");
    }

    /** The codec cannot capture what they hold. */
    @Test
    public void whatCannotBeCapturedIsWatchedFieldByField() {
        String start = "a, A.on(Long): what the static field ";
        assertRefused(start + "A.IT holds changes: ", "static final Iterator<Long> IT = List.of(1L, 2L).iterator();", "IT.next();");
        assertRefused(start + "A.CACHE holds changes: ", "static final Map<Long, Long> CACHE = new WeakHashMap<>();",
            "CACHE.put(m, m);");
        String config = "static class Config { int leader; final Object pool = java.util.concurrent.Executors"
            + ".newCachedThreadPool(); final Thread t = Thread.currentThread(); } static final Config CONFIG = new Config();";
        assertRefused(start + "A.CONFIG holds changes: ", config, "CONFIG.leader = 1;");
        assertEquals("A{n=0}", new Asked("", config, "", "n = CONFIG.leader; CONFIG.leader = 1;", "statics=frozen").all().get(0));

        Asked reads = new Asked("", "static final java.io.StringWriter W = new java.io.StringWriter();" + config, "",
            "n = W.toString().length() + CONFIG.leader;");
        assertEquals("A{n=0}", reads.ask());
        assertEquals("A{n=0}", reads.ask());
    }

    @Test
    public void aStaticFieldMustNotReachAnActor() {
        assertTrue(assertThrows(RuleException.class, () -> new Asked("", "static final List<Object> ALL = new ArrayList<>();"
            + " A() { ALL.add(this); }", "", "n = ALL.size();")).getMessage()
            .startsWith("the static field A.ALL reaches an actor, "));
    }

    @Test
    public void whatInitializersSeeInAStepIsTheSameForAll() {
        assertRefused("a: A.Lazy.the static initializer writes the static field A.count of another class when it is"
            + " initialized during a step (Program.java:1): refer to A$Lazy in the set-up",
            "static int count; static class Lazy { static { count = 1; } static void touch() { } }", "Lazy.touch();");
        assertRefused("a: the static initializer of A$Lazy, which runs during a step, changes what the static field A.LIST"
            + " holds: ", "static final List<Long> LIST = new ArrayList<>(); static class Lazy { static { LIST.add(1L); }"
            + " static void touch() { } }", "Lazy.touch();");
        assertRefused("a: A.Lazy.the static initializer calls ThreadLocal.get in the static initializer of",
            "static final ThreadLocal<Long> T = ThreadLocal.withInitial(() -> 0L); static class Lazy { static final long R ="
            + " T.get(); }", "T.set(m); n = Lazy.R;");
        assertEquals("A{n=0}", new Asked("", "static class Lazy { static final long T = System.currentTimeMillis(); }", "",
            "clock().advance(java.time.Duration.ofMillis(3)); n = Lazy.T;").ask());
        assertEquals("A{n=1}", new Asked("", "static long k = 1; static class Lazy { static final long T = k; }", "",
            "k = 2; n = Lazy.T;", "statics=frozen").ask());
    }

    @Test
    public void classesWithoutAnInitializerAreWatchedWhenTheyAreLoadedLate() {
        assertRefused("a, A.on(Long): what the static field A.Once.n holds changes: ", "static class Once { static int n; }",
            "try { Once.class.getDeclaredField(\"n\").set(null, 1); } catch (ReflectiveOperationException e) { n = 1; }");
        Asked frozen = new Asked("", "static class Once { static int n; }", "", "n = Once.n++;", "statics=frozen");
        assertEquals("A{n=0}", frozen.ask());
        assertEquals("A{n=0}", frozen.ask());
    }

    @Test
    public void staticFieldsThatAreOnlyReadAreLet() {
        Asked program = new Asked("", """
            static final List<Long> LIST = new ArrayList<>(List.of(3L));
            static int set;
            static { set = 4; }
            static class Lazy { static int late = first(); static int first() { late = 2; return late + 3; } }
            """, "", "n = LIST.get(0) + set + Lazy.late;");

        assertEquals("A{n=12}", program.ask());
        assertEquals("A{n=12}", program.ask());
    }

    /** As loggers do: the first who asks sets up what all share, from an initializer. */
    private static final String SHARED = """
        static class Factory { static int state; static final List<Long> MADE = new ArrayList<>(List.of(0L));
            static long get() { if (state == 0) { state = 4; MADE.add(1L); } return state; } }
        static class Late { static final long GOT = Factory.get(); }
        """;

    @Test
    public void whatAnInitializerDoesToOthersItInitializesIsRefused() {
        // Another actor may have initialized them first, and seen them as they were.
        assertRefused("a: A.Factory.get writes the static field A.Factory.state of another class when it is initialized during a step",
            SHARED, "n = Late.GOT + Factory.state;");
    }

    @Test
    public void whatAStepChangedBeforeAnInitializerRanIsItsOwn() {
        assertRefused("a, A.on(Long): what the static field A.Factory.MADE holds changes: ", SHARED,
            "Factory.MADE.add(9L); n = Late.GOT;");
    }

    @Test
    public void frozenStaticFieldsArePutBack() {
        Asked program = new Asked("", """
            static final Map<String, List<Long>> TABLE = new HashMap<>();
            static final List<Long> SAME = new ArrayList<>();
            static List<Long> list = SAME;
            static int[] array = {1};
            static long count = 5;
            enum E { X; long n; }
            static { TABLE.put("a", SAME); }
            """, "", "TABLE.computeIfAbsent(\"b\", k -> new ArrayList<>()).add(1L); SAME.add(2L); list.add(3L);"
            + " list = new ArrayList<>(TABLE.get(\"a\")); count++; E.X.n++; array[0]++;"
            + " n = count * 10000 + TABLE.size() * 1000 + TABLE.get(\"a\").size() * 100 + array[0] * 10 + E.X.n;",
            "statics=frozen");

        assertEquals("A{n=62221}", program.ask());
        assertEquals("A{n=62221}", program.ask());
    }

    @Test
    public void nothingIsLeftOnTheThread() {
        Asked program = new Asked("", "static final ThreadLocal<Long> KEPT = ThreadLocal.withInitial(() -> 1L);", "",
            "n = KEPT.get() + (Thread.currentThread().isInterrupted() ? 10 : 0)"
            + " + (Thread.currentThread().getContextClassLoader() == A.class.getClassLoader() ? 100 : 0);"
            + " KEPT.set(5L);");

        assertEquals("A{n=101}", program.ask());
        assertEquals("A{n=101}", program.ask());
        assertRefused("a: A.on calls Thread.interrupt (Program.java:1): the thread is the worker's", "",
            "Thread.currentThread().interrupt();");
        assertRefused("a, A.on(Long) leaves its thread interrupted: the thread runs other steps, too: put it back", "", """
            var f = new java.util.concurrent.FutureTask<?>[1];
            f[0] = new java.util.concurrent.FutureTask<>(() -> f[0].cancel(true)); f[0].run();""".replace("\n", " "));
        assertRefused("a, A.on(Long) leaves its thread with another context class loader: the thread runs other steps, too",
            "", "Thread.currentThread().setContextClassLoader(null);");
        assertEquals("A{n=0}", new Asked("", "", "", "var t = Thread.currentThread(); var l = t.getContextClassLoader();"
            + " t.setContextClassLoader(null); t.setContextClassLoader(l);").ask());
    }

    @Test
    public void aStepThatFailsLeavesNothing() {
        Asked program = new Asked("", "static final List<Long> LIST = new ArrayList<>();", "",
            "LIST.add(1L); if (LIST.size() == 1) throw new IllegalStateException(); n = LIST.size();", "statics=frozen");

        for (int i = 0; i < 3; i++) {
            assertEquals("IllegalStateException", program.outcomes().get(0).failure().text());
        }
    }

    @Test
    public void aSampleOfStepsIsExecutedTwice() {
        int twice = 0;
        for (int i = 0; i < 1000; i++) {
            twice += new Recheck(10).has(new byte[] {(byte) i, (byte) (i >> 8)}, new byte[] {3}) ? 1 : 0;
        }
        assertTrue("about a tenth: " + twice, twice > 60 && twice < 140);
        assertTrue(Recheck.ALL.has(new byte[1], new byte[1]) && !Recheck.NONE.has(new byte[1], new byte[1]));
    }

    @Test
    public void whatStatesDoNotKeepIsNotTold() {
        String lists = """
            static class Log extends ArrayList<String> { int changes() { return modCount; } }
            static class Own extends ArrayList<String> { int modCount = 5; }
            static class Room extends Vector<String> { int room() { return elementData.length; } }
            static class Below extends AbstractList<Long> { public int size() { return 0; } public Long get(int i) { return 0L; }
                int changes() { return ++modCount; } }
            """;
        String thrown = "Exception thrown = new Exception();";
        for (String[] refused : new String[][] {{"new Vector<>().capacity()", "calls Vector.capacity"},
                {"new Stack<>().capacity()", "calls Vector.capacity"}, {"new BitSet().size()", "calls BitSet.size"},
                {"new StringBuilder().capacity()", "calls StringBuilder.capacity"}, {"new Log().changes()", "reads ArrayList.modCount"},
                {"new Room().room()", "reads Vector.elementData"}, {"thrown.getStackTrace().length", "calls Throwable.getStackTrace"}}) {
            String told = assertThrows(RuleException.class, () -> new Asked("", lists + thrown, "", "n = " + refused[0] + ";").ask())
                .getMessage();
            assertTrue(told, told.contains(" " + refused[1] + " "));
        }
        assertEquals("A{n=16}", new Asked("", lists, "", "n = new Below().changes() + new Own().modCount"
            + " + (new Exception().getStackTrace().length > 0 ? 10 : 0);").ask());
    }

    private static void assertRefused(String start, String members, String statements) {
        RuleException refusal = assertThrows(RuleException.class, () -> new Asked("", members, "", statements).ask());
        assertTrue(refusal.getMessage(), refusal.getMessage().startsWith(start));
    }

    /** A program of one actor, a, and what it makes of a message. */
    private static final class Asked {
        private final LoadedProgram program;
        private final UserProgram codec;

        /** With members of the actor's class, statements for the set-up and for the handler, and rules that are relaxed. */
        Asked(String annotation, String members, String setUp, String handler, String... allowed) {
            codec = new UserProgram(("class A extends Actor { MEMBERS long n; static final boolean fails = false;"
                + " @Handler void on(Long m) { HANDLER } } ANNOTATION class S extends Scenario { protected void setUp() {"
                + " SETUP create(\"a\", new A()); } }").replace("MEMBERS", members.replace("\n", " "))
                .replace("HANDLER", handler).replace("ANNOTATION", annotation).replace("SETUP", setUp));
            program = Loading.load(codec.loader().classes(), "here", "", Map.of(),
                new Options(Recheck.ALL, false, Rules.parse("--allow", List.of(allowed))));
        }

        List<Outcome> outcomes() {
            return step(program, codec);
        }

        List<String> all() {
            List<String> states = new ArrayList<>();
            outcomes().forEach(o -> states.add(codec.show(o.local()).replaceAll("Long\\((-?\\d+)\\)", "$1")));
            return states;
        }

        /** What the actor is after a step that has one outcome. */
        String ask() {
            List<String> all = all();
            assertEquals(1, all.size());
            return all.get(0);
        }

        List<String> notes() {
            return program.loader().guard().notes().list();
        }
    }

    @Test
    public void whatAThreadsGeneratorGivesFollowsFromItsSeed() throws Exception {
        Callable<List<Number>> draws = () -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            Receivers.seedThread(7);
            return List.of(random.nextInt(), random.nextInt(9), random.nextGaussian(), random.nextLong());
        };
        FutureTask<List<Number>> elsewhere = new FutureTask<>(draws);
        new Thread(elsewhere).start();
        assertEquals(draws.call(), elsewhere.get());
        assertEquals(draws.call(), draws.call());
    }
}
