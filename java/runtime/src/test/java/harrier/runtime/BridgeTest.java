package harrier.runtime;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import harrier.History;
import harrier.Operation;
import harrier.runtime.codec.Codec;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.program.Wire;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.Running;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.step.OperationRecord;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;

/** The questions and answers as bytes. */
public class BridgeTest {
    private static final String PROGRAM = """
        class Key {
            public int hashCode() { BridgeTest.visit(); return 1; }
        }
        class A extends Actor {
            Set<Key> set = new HashSet<>(Set.of(new Key()));
            @Handler void on(String m) { BridgeTest.visit(); choose(3); }
        }
        class S extends Scenario {
            S() { BridgeTest.visit(); }
            protected void setUp() { BridgeTest.visit(); send(create("a", new A()), "m"); }
            @Invariant("it holds") boolean p() { BridgeTest.visit(); return actors(A.class).count() == 1; }
        }""".replace("BridgeTest.visit()", "java.sql.DriverManager.println(null)");

    /** The programs reach this test through the writer that the JDK logs to. */
    private static final Options OPTIONS =
        new Options(Recheck.ALL, false, Rules.parse("--allow", List.of("jdk=java.sql")));

    @Rule
    public final Restored restored = new Restored();

    @After
    public void forget() {
        DriverManager.setLogWriter(null);
    }

    @Test
    public void aQuestionIsAnEventWithItsMessages() {
        LoadedProgram program = load(PROGRAM);

        assertEquals("status", 0, steps(program, 0, 1).getInt());
        String wrong = "java.lang.IllegalArgumentException: event of kind ";
        assertFailure(4, wrong + "INTERNAL with 1 messages", steps(program, 1, 1));
        assertFailure(4, wrong + "RECEIVE with 0 messages", steps(program, 0, 0));
        assertFailure(4, wrong + "LOSE, which runs nothing", steps(program, 4, 0));
    }

    @Test
    public void oneOutcomeCanBeChosen() {
        LoadedProgram program = load(PROGRAM);

        ByteBuffer answer = call(2, question(program, 0, 1).flag(true).number(3).string("A.on(String)").number(1).number(2).flag(false));
        Wire.Reader one = new Wire.Reader(answer);
        assertEquals("status, executions counted, outcomes", List.of(0, 0, 1), List.of(one.number(), one.number(), one.number()));
        assertEquals("A.on(String)", one.string());
        assertEquals(List.of(2), one.numbers());
    }

    private static final String RECORDING = """
        class Child extends Actor { protected void start() { invoked("child's"); } }
        class A extends Actor {
            protected void start() { invoked("first"); }
            @Handler void on(String m) { returned(7); create("x", new Child()); }
        }
        class S extends Scenario {
            protected void setUp() { create("a", new A()); }
            @Invariant boolean p() { return history().completed().isEmpty() && actors(A.class).count() == 1; }
        }""";

    @Test
    public void recordsAndHistoriesTravel() {
        LoadedProgram program = load(RECORDING);
        Codec codec = new Codec(program.loader());
        byte[] atFirst = codec.encode(history(Operation.PENDING, null));
        byte[] later = codec.encode(history(0, 7));

        ByteBuffer facts = loadAny(RECORDING);
        byte[] all = new byte[facts.remaining()];
        facts.get(all);
        assertTrue("the facts have the history after set-up", new String(all, StandardCharsets.ISO_8859_1)
            .contains(new String(atFirst, StandardCharsets.ISO_8859_1)));

        Wire.Reader step = new Wire.Reader(steps(program, 0, 1));
        assertEquals("status, executions, outcomes", List.of(0, 2, 1),
            List.of(step.number(), step.number(), step.number()));
        step.string();
        assertEquals("choices, failure", List.of(0, 0), List.of(step.number(), step.number()));
        step.bytes();
        assertEquals("sends", 0, step.number());
        assertEquals("creates", 1, step.actors().size());
        List<OperationRecord> records = step.records();
        assertEquals(List.of("a RETURNED", "a/x1 INVOKED"),
            records.stream().map(r -> r.actor() + " " + r.kind()).toList());

        Wire.Writer question = new Wire.Writer().number(2)
            .bytes(atFirst).records(List.of(records.get(0)))
            .bytes(new byte[0]).records(List.of());
        Wire.Reader answer = new Wire.Reader(call(6, question));
        assertEquals(0, answer.number());
        assertArrayEquals(later, answer.bytes());
        assertTrue("may be kept", answer.flag());
        assertArrayEquals(new byte[0], answer.bytes());
        assertTrue("may be kept", answer.flag());
        assertEquals(0, answer.in().remaining());
        assertFailure(2, "a returns Integer without a pending operation: call invoked before returned, once for each",
            call(6, new Wire.Writer().number(1).bytes(later).records(List.of(records.get(0)))));

        Wire.Writer evaluations = new Wire.Writer().number(2)
            .number(0).bytes(atFirst).actors(program.initial().creates()).envelopes(List.of()).number(0).number(0).number(0)
            .number(0).bytes(later).actors(program.initial().creates()).envelopes(List.of()).number(0).number(0).number(0);
        Wire.Reader judgements = new Wire.Reader(call(3, evaluations));
        List<Integer> numbers = new ArrayList<>();
        while (judgements.in().hasRemaining()) {
            numbers.add(judgements.number());
        }
        assertEquals("status; holds, reads the history, actor 0 and no fields, as repeated, may be kept; does not hold, reads the history and no fields, likewise; neither looks at names",
            List.of(0, 1, 0, 2, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, -1, 0, 0, 0, 0, 0, 1), numbers);
    }

    private static History history(int returnedAt, Object result) {
        return new History(List.of(new Operation(UserProgram.name("a"), "first", result, 0, returnedAt)));
    }

    @Test
    public void whereTellsWhatRunsAndCountsExecutions() {
        List<String> seen = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        DriverManager.setLogWriter(new PrintWriter(Writer.nullWriter()) {
            @Override
            public void println(String text) {
                seen.add(Running.here().what());
                numbers.add(Running.here().number());
            }
        });
        LoadedProgram program = load(PROGRAM);
        assertEquals(List.of("S's constructor", "S.setUp"), seen.stream().distinct().toList());
        steps(program, 0, 1); // makes the program of its own
        seen.clear();
        numbers.clear();

        steps(program, 0, 1);
        assertEquals("hashCode runs while the state is decoded",
            List.of("a: hashCode, equals or compareTo", "a: A.on(String)"), seen.stream().distinct().toList());
        assertEquals("two probes, and three choices executed twice", 8, numbers.stream().distinct().count());
        seen.clear();

        call(3, new Wire.Writer().number(1).number(0).number(0).number(0).number(0).number(0).number(0).number(0));
        assertEquals(List.of("the property \"it holds\""), seen.stream().distinct().toList());
        ByteBuffer idle = call(5, 0, new Wire.Writer());
        assertEquals(0, idle.getInt());
        assertEquals("nothing runs", 0, idle.getInt());
        assertEquals(0, idle.remaining());
    }

    @Test
    public void whereHasTheStackOfWhatRuns() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        LoadedProgram program = load("""
            class A extends Actor {
                @Handler void on(String m) {
                    while (!Thread.currentThread().isInterrupted()) { }
                }
            }
            class S extends Scenario { protected void setUp() { create("a", new A()); } }""");
        Thread worker = new Thread(() -> {
            began.countDown();
            steps(program, 0, 1);
        });
        worker.start();
        began.await();
        List<String> stack = List.of();
        while (!stack.contains("A.on(Program.java:3)")) {
            assertTrue("the step has ended", worker.isAlive());
            Thread.sleep(1);
            ByteBuffer answer = call(5, 0, new Wire.Writer());
            answer.getInt();
            if (answer.getInt() == 1 && answer.getInt() == worker.getId() && answer.getInt() > 0
                    && answer.getInt() >= 0 && answer.getInt() >= 0 && string(answer).equals("a: A.on(String)")) {
                stack = strings(answer);
            }
        }
        while (worker.isAlive()) {
            worker.interrupt();
            worker.join(10);
        }
    }

    @Test
    public void aLoadThatFailedLeavesNothingBehind() {
        String actor = "class A extends Actor { @Handler void on(String m) {} } ";
        load(actor + "class S extends Scenario { protected void setUp() { create(\"a\", new A()); } }");
        assertEquals("a program is loaded", 0, call(4, new Wire.Writer()).getInt());

        // Its static initializer is refused, and caught.
        ByteBuffer failed = loadAny(actor + "class S extends Scenario { static int n = n(); static int n() {"
            + " try { System.exit(1); } catch (Throwable e) { } return 1; }"
            + " S(int n) {} protected void setUp() { create(\"a\", new A()); } }");

        assertFailure(1, "the scenario S needs a constructor without parameters", failed);
        assertEquals("no program is loaded", 4, call(4, new Wire.Writer()).getInt());
        load(actor + "class S extends Scenario { protected void setUp() { create(\"a\", new A()); } }");
    }

    private static LoadedProgram load(String text) {
        ByteBuffer answer = loadAny(text);
        int status = answer.getInt();
        assertTrue(status == 0 ? "" : string(answer), status == 0);
        return Loading.load(UserProgram.compile(text), "here", "", Map.of(), OPTIONS);
    }

    private static ByteBuffer loadAny(String text) {
        return call(1, Rehearsal.load("here", UserProgram.compile(text).bytes(),
            List.of("recheck", "all", "allow", "jdk=java.sql")));
    }

    /** The step of {@code a} that consumes "m", asked with an event kind and so many messages. */
    private static ByteBuffer steps(LoadedProgram program, int kind, int messages) {
        return call(2, question(program, kind, messages).flag(false).flag(false));
    }

    private static Wire.Writer question(LoadedProgram program, int kind, int messages) {
        Codec codec = new Codec(program.loader());
        Wire.Writer question = new Wire.Writer().number(1).bytes(program.initial().creates().get(0).local())
            .number(kind).number(messages);
        for (int i = 0; i < messages; i++) {
            question.string("b").string("a").bytes(codec.encode("m"));
        }
        return question;
    }

    private static ByteBuffer call(int operation, Wire.Writer question) {
        return call(operation, 1, question);
    }

    private static ByteBuffer call(int operation, int worker, Wire.Writer question) {
        ByteBuffer answer = ByteBuffer.allocate(100_000);
        int size = Bridge.call(operation, worker, ByteBuffer.wrap(question.toBytes()), answer);
        return answer.flip().limit(size);
    }

    private static void assertFailure(int status, String text, ByteBuffer answer) {
        assertEquals(status, answer.getInt());
        assertEquals(text, string(answer));
    }

    private static List<String> strings(ByteBuffer answer) {
        List<String> strings = new ArrayList<>();
        for (int n = answer.getInt(); n > 0; n--) {
            strings.add(string(answer));
        }
        return strings;
    }

    private static String string(ByteBuffer in) {
        return new Wire.Reader(in).string();
    }
}
