package harrier.runtime;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;

import harrier.runtime.actor.Envelope;
import harrier.runtime.codec.Codec;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.program.Wire;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.Rule;
import org.junit.Test;

/** Many threads that ask at once get the bytes that one thread gets. */
public class WorkersTest {
    private static final int LOAD = 1;
    private static final int STEPS = 2;
    private static final int EVALUATE = 3;
    private static final int CLASSES = 4;

    private static final int THREADS = 8;
    private static final int QUESTIONS = 300;

    private static final Options OPTIONS =
        new Options(Recheck.ALL, false, Rules.parse("--allow", List.of("statics=frozen")));

    @Rule
    public final Restored restored = new Restored();

    /** A question and the answer that the thread that loaded the program gives. */
    private record Question(int operation, byte[] question, byte[] answer) {}

    @Test
    public void allAnswerAnExampleInTheSameWay() throws Exception {
        everybodyAsks(UserProgram.read(Examples.folder().resolve("register")));
    }

    private static final String CONSTANTS = """
        interface Shape { int f(int a); }
        class Add implements Shape { public int f(int a) { return a + 1; } }
        class Zed { static final Shape ADD = new Add(); }
        class Early { static final Shape ADD = Zed.ADD; }
        interface Named { Shape ADD = new Add(); }
        class A extends Actor {
            Shape shape;
            @Handler void on(Integer k) {
                if (k == 1) { shape = Early.ADD; }
                if (k == 2) { shape = Zed.ADD; }
                if (k == 3) { shape = Named.ADD; }
                if (k == 4 && shape != Early.ADD) { throw new AssertionError(); }
            }
        }
        class S extends Scenario {
            protected void setUp() { create("a", new A()); }
            @Invariant boolean p() { return true; }
        }""";

    /** What one worker wrote by the name of a field, another one reads that did not use the field's class yet. */
    @Test
    public void constantsOfClassesThatAreNotInitialized() {
        LoadedProgram program =
            Loading.load(UserProgram.compile(CONSTANTS), "here", "", Map.of(), Options.STANDARD);
        for (int k = 1; k <= 3; k++) {
            byte[] first = step(program.again(), program.initial().creates().get(0).local(), k);

            byte[] second = step(program.again(), first, 0);

            assertArrayEquals(first, second);
            step(program.again(), k == 3 ? first : step(program, first, 4), 5);
        }
    }

    /** The name of an object in two fields does not depend on which of their classes was used first. */
    @Test
    public void constantsHaveOneName() {
        LoadedProgram program =
            Loading.load(UserProgram.compile(CONSTANTS), "here", "", Map.of(), Options.STANDARD);
        byte[] initial = program.initial().creates().get(0).local();

        byte[] both = step(program.again(), initial, 1);
        byte[] one = step(program.again(), initial, 2);

        assertArrayEquals(one, both);
    }

    private static byte[] step(LoadedProgram program, byte[] local, int message) {
        program.loader().enter();
        byte[] payload = new Codec(program.loader()).encode(message);
        return UserProgram.answer(program.steps(), local, new Envelope("", "a", payload)).outcomes().get(0).local();
    }

    @Test
    public void allAnswerAProgramThatIsNotMadeForThreadsInTheSameWay() throws Exception {
        everybodyAsks(UserProgram.compile("""
            enum Colour {
                RED { int n() { return 1; } }, GREEN { int n() { return 2; } };
                static { // which step's it is depends on who asks first
                    for (Object o : Set.of(new Object(), new Object(), new Object())) if (o == null) throw new AssertionError();
                }
                abstract int n();
            }
            class A extends Actor {
                static final Set<Object> OBJECTS = Set.of(new Object(), new Object(), new Object());
                static Map<Integer, Integer> known = new HashMap<>();
                static int running;
                Set<Colour> seen = new HashSet<>();
                Map<Object, Integer> counts = new HashMap<>();
                @Handler void on(Integer n) {
                    running++;
                    if (known.size() > 20) known.keySet().removeIf(k -> k >= 0);
                    known.put(n, n);
                    for (int k : known.keySet()) if (known.get(k) != k) throw new IllegalStateException();
                    if (n % 3 == 0) for (Object o : OBJECTS) if (o == this) throw new IllegalStateException();
                    Colour colour = Colour.values()[n % 2];
                    seen.add(colour);
                    counts.merge(n % 5 == 0 ? colour : n % 5, 1, (x, y) -> (x + y) % 3);
                    send(self(), (n * 7 + colour.n()) % 60);
                    running--;
                    if (running != 0) throw new IllegalStateException("" + running);
                }
            }
            class S extends Scenario {
                List<Object> noted = new ArrayList<>();
                protected void setUp() {
                    for (ActorName a : create("a", 2, i -> new A())) send(a, 1);
                }
                @Invariant boolean p() {
                    actors(A.class).forEach(a -> noted.addAll(a.counts.values()));
                    boolean odd = noted.size() % 2 == 1;
                    noted.clear();
                    return odd;
                }
            }"""));
    }

    private static void everybodyAsks(ProgramClasses classes) throws Exception {
        load(classes);
        List<Question> questions = questions(Loading.load(classes, "here", "", Map.of(), OPTIONS));
        assertNotEquals("different answers", 1, questions.stream().map(q -> Arrays.hashCode(q.answer)).distinct().count());
        byte[] loaded = call(CLASSES, 1, new byte[0]);

        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int worker = 2 + i;
            all.add(threads.submit(() -> ask(questions, worker)));
        }
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();
        assertArrayEquals("classes", loaded, call(CLASSES, 1, new byte[0]));
    }

    /** Whether an answer may be kept, its last byte, depends on what all have noted meanwhile. */
    private static void ask(List<Question> questions, int worker) {
        List<Question> shuffled = new ArrayList<>(questions);
        Collections.shuffle(shuffled, new Random(worker));
        for (Question q : shuffled) {
            byte[] answer = call(q.operation, worker, q.question);
            assertArrayEquals(Arrays.copyOf(q.answer, q.answer.length - 1), Arrays.copyOf(answer, answer.length - 1));
        }
    }

    /** All steps of the program, as if every message could be received at any time, and states for the properties. */
    private static List<Question> questions(LoadedProgram program) {
        Set<String> met = new HashSet<>();
        Map<String, List<byte[]>> locals = new LinkedHashMap<>();
        List<Question> questions = new ArrayList<>();
        List<Envelope> messages = new ArrayList<>(program.initial().sends());
        program.initial().creates().forEach(a -> locals.put(a.name(), new ArrayList<>(List.of(a.local()))));
        for (int i = 0; i < QUESTIONS; i++) {
            Envelope message = messages.get(i % messages.size());
            List<byte[]> states = locals.get(message.receiver());
            byte[] local = states.get(i / messages.size() % states.size());
            questions.add(asked(STEPS, new Wire.Writer().number(1).bytes(local).number(0).number(1)
                .string(message.sender()).string(message.receiver()).bytes(message.payload()).flag(false).flag(false)));
            for (Outcome o : UserProgram.answer(program.steps(), local, message).outcomes()) {
                if (met.add(message.receiver() + Arrays.toString(o.local()))) {
                    states.add(o.local());
                }
                o.sends().stream().filter(s -> locals.containsKey(s.receiver())).forEach(s -> {
                    if (met.add(s.sender() + ">" + s.receiver() + Arrays.toString(s.payload()))) {
                        messages.add(s);
                    }
                });
            }
            List<ActorState> actors = program.initial().creates().stream().map(a -> new ActorState(a.name(), a.type(),
                locals.get(a.name()).get(questions.size() / 2 % locals.get(a.name()).size()), false)).toList();
            questions.add(asked(EVALUATE, new Wire.Writer().number(1).number(0).bytes(new byte[0]).actors(actors).envelopes(List.of()).number(0).number(0).number(0)));
        }
        return questions;
    }

    private static Question asked(int operation, Wire.Writer question) {
        byte[] bytes = question.toBytes();
        return new Question(operation, bytes, call(operation, 1, bytes));
    }

    @Test
    public void aWorkerFollowsTheProgramThatIsLoaded() {
        String text = "class A extends Actor { static Map<Integer, Integer> frozen = new HashMap<>(Map.of(1, 1, 2, 2));"
            + " int n; @Handler void on(Integer m) { n = NUMBER; } }"
            + " class S extends Scenario { protected void setUp() { create(\"a\", new A()); } }";
        for (String number : List.of("7", "8")) {
            ProgramClasses classes = UserProgram.compile(text.replace("NUMBER", number));
            load(classes);
            LoadedProgram program = Loading.load(classes, "here", "", Map.of(), OPTIONS);
            Codec codec = new Codec(program.loader());
            byte[] answer = call(STEPS, 2, new Wire.Writer().number(1).bytes(program.initial().creates().get(0).local())
                .number(0).number(1).string("b").string("a").bytes(codec.encode(1)).flag(false).flag(false).toBytes());
            assertEquals("as by the worker that loaded it", number, number(answer, program));
        }
    }

    private static String number(byte[] answer, LoadedProgram program) {
        Wire.Reader in = new Wire.Reader(ByteBuffer.wrap(answer));
        assertEquals("status, executions, outcomes", List.of(0, 2, 1), List.of(in.number(), in.number(), in.number()));
        in.string();
        assertEquals("choices, failure", List.of(0, 0), List.of(in.number(), in.number()));
        return LiveDump.of(new Codec(program.loader()).decodeLocalState(in.bytes()).actor()).replaceAll("\\D", "");
    }

    @Test
    public void anAnswerThatDidNotFitIsItsWorkersOwn() {
        load(UserProgram.compile("class A extends Actor { @Handler void on(String m) { } }"
            + " class S extends Scenario { protected void setUp() { create(\"a\", new A()); } }"));
        ByteBuffer nothing = ByteBuffer.allocate(0);
        int classes = Bridge.call(CLASSES, 2, nothing, nothing);
        int error = Bridge.call(99, 3, nothing, nothing);

        assertFalse(classes == error);
        ByteBuffer answer = ByteBuffer.allocate(classes);
        Bridge.fetch(2, answer);
        assertArrayEquals(call(CLASSES, 1, new byte[0]), answer.array());
    }

    private static void load(ProgramClasses classes) {
        byte[] answer = call(LOAD, 1, Rehearsal.load("here", classes.bytes(),
            List.of("recheck", "all", "allow", "statics=frozen")).toBytes());
        assertEquals(0, ByteBuffer.wrap(answer).getInt());
    }

    private static byte[] call(int operation, int worker, byte[] question) {
        ByteBuffer answer = ByteBuffer.allocate(1 << 20);
        int size = Bridge.call(operation, worker, ByteBuffer.wrap(question), answer);
        return Arrays.copyOf(answer.array(), size);
    }
}
