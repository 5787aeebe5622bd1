package harrier.runtime.rules;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.BeforeClass;
import org.junit.Test;

/** Whatever way a step writes what a static field holds, it is seen, also after steps that wrote nothing. */
public class StaticsTest {
    private static final List<String> FIELDS = List.of(
        "int[] ints = {1, 2}", "double[] doubles = {0.0}", "float[] floats = {0f}", "Object[][] nested = {{\"a\"}, {}}",
        "long[] longs = {3}", "char[] chars = {'a'}", "boolean[] flags = {false}", "short[] shorts = {0}", "byte[] bytes = {0}",
        "List<Integer> array = new ArrayList<>(List.of(3, 1, 2))", "List<Integer> linked = new LinkedList<>(List.of(1))",
        "Map<String, Integer> hash = new HashMap<>(Map.of(\"a\", 1))", "Map<String, Integer> tree = new TreeMap<>(Map.of(\"a\", 1))",
        "Map<String, Integer> ordered = new LinkedHashMap<>(Map.of(\"a\", 1))", "Map<Integer, Integer> byAccess = access()",
        "Map<String, List<Integer>> inner = Map.of(\"a\", new ArrayList<>())", "Set<String> view = Collections.synchronizedSet(new HashSet<>())",
        "Map<String, Integer> concurrent = new java.util.concurrent.ConcurrentHashMap<>(Map.of(\"a\", 1))",
        "java.util.concurrent.atomic.AtomicInteger counter = new java.util.concurrent.atomic.AtomicInteger()",
        "java.util.concurrent.atomic.AtomicReference<Object> reference = new java.util.concurrent.atomic.AtomicReference<>()",
        "java.util.concurrent.atomic.AtomicLongArray atomics = new java.util.concurrent.atomic.AtomicLongArray(2)",
        "java.util.concurrent.atomic.LongAdder adder = new java.util.concurrent.atomic.LongAdder()",
        "BitSet bits = new BitSet()", "StringBuilder builder = new StringBuilder(\"a\")", "StringBuffer buffer = new StringBuffer(\"a\")",
        "EnumMap<E, Integer> enums = new EnumMap<>(E.class)", "EnumSet<E> enumSet = EnumSet.noneOf(E.class)",
        "PriorityQueue<Integer> queue = new PriorityQueue<>(List.of(1))", "ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1))",
        "java.util.concurrent.CopyOnWriteArrayList<Integer> copied = new java.util.concurrent.CopyOnWriteArrayList<>()",
        "java.util.concurrent.ConcurrentSkipListMap<Integer, Integer> skips = new java.util.concurrent.ConcurrentSkipListMap<>()",
        "IdentityHashMap<Object, Object> byIdentity = new IdentityHashMap<>()", "Random random = new Random(1)",
        "java.nio.ByteBuffer bytesOf = java.nio.ByteBuffer.allocate(4)", "Date date = new Date(0)",
        "java.util.function.Supplier<List<Integer>> captured = capture(new ArrayList<>())",
        "Comparator<Box> behindTheJdk = Comparator.comparing(by(new int[1]))",
        "Optional<int[]> optional = Optional.of(new int[1])", "Box box = new Box()", "Box boxOfOther = box", "Box.Rec rec = new Box.Rec(new int[1])");

    /** What writes, and the field that is named. */
    private static final List<String[]> WRITES = List.of(
        write("ints", "ints[0]++"), write("ints", "System.arraycopy(ints, 0, ints, 1, 1)"), write("ints", "Arrays.fill(ints, 7)"),
        write("ints", "ints[1] = 0; Arrays.sort(ints)"), write("doubles", "doubles[0] = -0.0"), write("floats", "floats[0] = -0f"),
        write("ints", "java.lang.invoke.MethodHandles.arrayElementVarHandle(int[].class).setVolatile(ints, 0, 5)"),
        write("ints", "java.lang.invoke.MethodHandles.arrayElementSetter(int[].class).invoke(ints, 0, 5)"),
        write("nested", "nested[0][0] = \"b\""), write("nested", "nested[0] = new Object[] {\"b\"}"),
        write("longs", "longs[0]++"), write("chars", "chars[0]++"), write("flags", "flags[0] = true"), write("shorts", "shorts[0]++"),
        write("bytes", "bytes[0]++"), write("array", "Collections.sort(array)"), write("array", "Collections.swap(array, 0, 1)"),
        write("array", "array.replaceAll(x -> x + 1)"), write("array", "Iterator<Integer> i = array.iterator(); i.next(); i.remove()"),
        write("linked", "linked.add(2)"), write("hash", "hash.merge(\"a\", 1, Integer::sum)"),
        write("hash", "hash.entrySet().iterator().next().setValue(2)"), write("hash", "hash.keySet().clear()"),
        write("tree", "tree.clear()"),
        write("ordered", "ordered.put(\"b\", 2)"), write("byAccess", "byAccess.get(1)"), write("inner", "inner.get(\"a\").add(1)"),
        write("view", "view.add(\"x\")"), write("concurrent", "concurrent.compute(\"a\", (k, v) -> v + 1)"),
        write("counter", "counter.incrementAndGet()"), write("reference", "reference.set(\"x\")"), write("atomics", "atomics.lazySet(1, 1)"),
        write("adder", "adder.increment()"), write("bits", "bits.set(3)"), write("builder", "builder.setCharAt(0, 'b')"),
        write("buffer", "buffer.reverse().append('c').toString()"), write("enums", "enums.put(E.A, 1)"), write("enumSet", "enumSet.add(E.A)"),
        write("queue", "queue.add(0)"), write("deque", "deque.addFirst(0)"), write("copied", "copied.add(1)"), write("skips", "skips.put(1, 1)"),
        write("byIdentity", "byIdentity.put(\"a\", 1)"), write("random", "random.nextInt()"), write("bytesOf", "bytesOf.put((byte) 1)"),
        write("date", "date.setTime(1)"), write("captured", "captured.get().add(1)"),
        write("behindTheJdk", "behindTheJdk.compare(new Box(), new Box())"), write("optional", "optional.get()[0]++"),
        write("box", "box.value++"), write("box", "boxOfOther.value++"), write("box", "Box.VALUE.setOpaque(box, 5)"),
        write("box", "Box.UPDATER.incrementAndGet(box)"), write("box", "Box.SETTER.invoke(box, 5)"), write("box", "Box.FIELD.setInt(box, 5)"),
        write("box", "box.next = new Box()"), write("rec", "rec.content()[0]++"));

    private static final String PROGRAM = """
        enum E { A, B; int uses; }
        class Box {
            record Rec(int[] content) {}
            static final java.lang.invoke.VarHandle VALUE;
            static final java.lang.invoke.MethodHandle SETTER;
            static final java.lang.reflect.Field FIELD;
            static final java.util.concurrent.atomic.AtomicIntegerFieldUpdater<Box> UPDATER =
                java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater(Box.class, "value");
            static {
                try {
                    VALUE = java.lang.invoke.MethodHandles.lookup().findVarHandle(Box.class, "value", int.class);
                    SETTER = java.lang.invoke.MethodHandles.lookup().findSetter(Box.class, "value", int.class);
                    FIELD = Box.class.getDeclaredField("value");
                } catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
            }
            volatile int value; Box next;
        }
        class S {
            FIELDS
            static java.util.function.Supplier<List<Integer>> capture(List<Integer> list) { return () -> list; }
            static java.util.function.Function<Box, Integer> by(int[] calls) { return b -> calls[0]++; }
            static Map<Integer, Integer> access() {
                Map<Integer, Integer> map = new LinkedHashMap<>(8, 0.75f, true); map.put(1, 1); map.put(2, 2); return map;
            }
            static void write(int way) throws Throwable { switch (way) { WRITES } }
        }
        class A extends Actor {
            @Handler void on(Integer way) throws Throwable { S.write(way); }
        }
        class Start extends Scenario {
            protected void setUp() { Box.VALUE.getClass(); S.hash.size(); E.A.name(); create("a", new A()); }
        }
        """;

    private static ProgramClasses classes;

    private static String[] write(String field, String code) {
        return new String[] {field, code};
    }

    @BeforeClass
    public static void prepare() {
        UserProgram.prepare();
        StringBuilder fields = new StringBuilder();
        FIELDS.forEach(f -> fields.append("static final ").append(f).append(";\n"));
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < WRITES.size(); i++) {
            cases.append("case ").append(i).append(" -> { ").append(WRITES.get(i)[1]).append("; }\n");
        }
        // Nothing is written, or a field that is no part of the value.
        cases.append("case -1 -> { hash.keySet(); }\n");
        cases.append("case -2 -> { hash.put(\"z\", 1); for (int i = 0; i < 100; i++) hash.put(\"y\" + i, 1);"
            + " hash.keySet().retainAll(Set.of(\"a\")); }\n");
        cases.append("case -3 -> { E.A.uses++; }\n");
        classes = UserProgram.compile(PROGRAM.replace("FIELDS", fields).replace("WRITES", cases));
    }

    /** One step after another, in one program. */
    private static final class Run {
        private final LoadedProgram program;
        private final byte[] local;

        Run(String... allowed) {
            program = Loading.load(classes, "here", "", Map.of(),
                new Options(Recheck.NONE, false, Rules.parse("--allow", List.of(allowed))));
            local = program.initial().creates().get(0).local();
        }

        void step(int way) {
            program.loader().enter();
            assertEquals(null, UserProgram.answer(program.steps(), local, new Envelope("", "a", new Codec(program.loader()).encode(way)))
                .outcomes().get(0).failure());
        }

        /** What the fields hold. */
        byte[] statics() throws ReflectiveOperationException {
            List<Object> values = new ArrayList<>();
            for (Field field : program.loader().loadClass("S").getDeclaredFields()) {
                field.setAccessible(true);
                values.add(field.get(null));
            }
            return new Codec(program.loader(), program.loader()::defined).encode(values);
        }

        String refused(int way) {
            return assertThrows(WRITES.get(Math.max(way, 0))[1], RuleException.class, () -> step(way)).getMessage();
        }
    }

    @Test
    public void everyWayToWriteIsSeen() {
        for (int way = 0; way < WRITES.size(); way++) {
            Run run = new Run();
            run.step(-1);
            run.step(-1);
            String message = run.refused(way);
            String expected = "what the static field S." + WRITES.get(way)[0] + " holds changes";
            assertTrue(WRITES.get(way)[1] + ": " + message, message.contains(expected) || message.contains("calls java.lang.reflect"));
        }
    }

    @Test
    public void fieldsOfConstantsOfEnumsAreSeen() {
        Run run = new Run();
        run.step(-1);
        assertTrue(run.refused(-3).contains("what the static field E.uses holds changes"));
    }

    @Test
    public void theSameContentInAnotherTableIsNoChange() {
        Run run = new Run();
        run.step(-1);
        for (int i = 0; i < 3; i++) {
            run.step(-2);
        }
        run.step(-1);
        assertTrue("the larger table is looked at, too", run.refused(indexOf("hash")).contains("S.hash"));
    }

    @Test
    public void everyWriteIsPutBackWhereStaticsAreFrozen() throws ReflectiveOperationException {
        Run run = new Run("statics=frozen", "reflection=any");
        byte[] before = run.statics();
        for (int way = 0; way < WRITES.size(); way++) {
            run.step(way);
            assertArrayEquals(WRITES.get(way)[1], before, run.statics());
        }
    }

    private static int indexOf(String field) {
        for (int i = 0; i < WRITES.size(); i++) {
            if (WRITES.get(i)[0].equals(field)) {
                return i;
            }
        }
        throw new AssertionError(field);
    }
}
