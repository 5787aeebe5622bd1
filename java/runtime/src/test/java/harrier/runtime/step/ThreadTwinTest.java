package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.analysis.slice.FieldFact;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.wire.FailureKind;
import harrier.runtime.wire.Verdict;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.Test;

/** Random programs with threads, whose runs end as those of a naive interpreter of them do. */
public class ThreadTwinTest {
    private static final int PROGRAMS = Integer.getInteger("harrier.programs", 14);
    private static final int MOST = 1000;
    /** How many are compiled at once. */
    private static final int TOGETHER = 50;
    /** Among so many some come to a deadlock, and some fail. */
    private static final int ENOUGH = 100;
    private static final String COMPARED = "compared";
    private static final String AUXILIARY = "have an auxiliary counter";
    private static final String SEVERAL = "end in several ways";

    /** Where threads take turns where they wait. */
    @Test
    public void runsEndAsThoseOfANaiveInterpreterDo() throws Exception {
        compare(false, PROGRAMS);
    }

    /** Where they do so at locks and what they share, too. */
    @Test
    public void soDoThoseThatArePreempted() throws Exception {
        compare(true, PROGRAMS / 2);
    }

    private static void compare(boolean preempts, int count) throws Exception {
        Random random = new Random(Long.getLong("harrier.seed", 1));
        Map<String, Integer> figures = new TreeMap<>();
        for (int left = count; left > 0; left -= TOGETHER) {
            compare(random, preempts, Math.min(left, TOGETHER), figures);
        }
        System.out.println("of " + count + (preempts ? " at locks " : " ") + figures);
        assertTrue(figures.toString(), figures.get(COMPARED) > count * 2 / 3 && figures.get(SEVERAL) > count / 8
            && (count < ENOUGH || figures.containsKey(ThreadTwin.DEADLOCK) && figures.containsKey(ThreadTwin.EXCEPTION)));
    }

    /** Compares programs that are compiled together. */
    private static void compare(Random random, boolean preempts, int count, Map<String, Integer> figures) throws Exception {
        RandomThreads[] programs = new RandomThreads[count];
        StringBuilder text = new StringBuilder("import java.util.concurrent.*; import java.util.concurrent.locks.*;\n");
        for (int i = 0; i < count; i++) {
            programs[i] = new RandomThreads(random);
            text.append(programs[i].source(i));
        }
        ProgramClasses classes = UserProgram.compile(text.toString());
        for (int i = 0; i < count; i++) {
            Set<String> expected = new ThreadTwin(programs[i].threads, preempts).ends(MOST);
            if (expected == null) {
                continue; // too many states
            }
            assertEquals(programs[i].source(i), expected, ends(classes, "S" + i, preempts, figures));
            figures.merge(COMPARED, 1, Integer::sum);
            if (expected.size() > 1) {
                figures.merge(SEVERAL, 1, Integer::sum);
            }
            Stream.of(ThreadTwin.DEADLOCK, ThreadTwin.EXCEPTION).filter(expected::contains).forEach(e -> figures.merge(e, 1, Integer::sum));
        }
    }

    /** What the actor of a scenario has seen where its runs end. */
    private static Set<String> ends(ProgramClasses classes, String scenario, boolean preempts, Map<String, Integer> figures) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        LoadedProgram program = Loading.load(classes, "Program.java", scenario, Map.of(),
            new Options(Recheck.ALL, false, Rules.STRICT, false, List.of(), List.of(), preempts, false));
        try {
            Codec codec = new Codec(program.loader(), program.loader()::defined);
            figures.merge(AUXILIARY, program.decomposition().fields().stream().anyMatch(f -> f.field().equals("tally") && isAuxiliary(f)) ? 1 : 0, Integer::sum);
            Set<String> ends = new TreeSet<>();
            Set<String> known = new HashSet<>();
            Deque<byte[]> open = new ArrayDeque<>();
            open.add(program.initial().creates().get(0).local());
            while (!open.isEmpty()) {
                byte[] local = open.pop();
                if (!known.add(relevant(program, codec, local))) {
                    continue;
                }
                var outcomes = UserProgram.internal(program.steps(), local).outcomes();
                if (outcomes.isEmpty()) {
                    Object actor = codec.decodeLocalState(local).actor();
                    var log = actor.getClass().getDeclaredField("log");
                    log.setAccessible(true);
                    ends.add((String) log.get(actor));
                }
                for (Outcome o : outcomes) {
                    if (o.failure() == null) {
                        open.add(o.local());
                    } else {
                        assertTrue(o.failure().text(), Set.of(FailureKind.STUCK, FailureKind.EXCEPTION).contains(o.failure().kind()));
                        ends.add(o.failure().kind().equals(FailureKind.STUCK) ? ThreadTwin.DEADLOCK : ThreadTwin.EXCEPTION);
                    }
                }
            }
            return ends;
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static boolean isAuxiliary(FieldFact fact) {
        return fact.verdict() == Verdict.INFERRED;
    }

    /** What tells a local state apart: its bytes with nothing in auxiliary fields. */
    private static String relevant(LoadedProgram program, Codec codec, byte[] local) throws Exception {
        LocalState state = codec.decodeLocalState(local);
        for (FieldFact fact : program.decomposition().fields()) {
            if (isAuxiliary(fact) && fact.type().equals(state.actor().getClass().getName())) {
                Field field = state.actor().getClass().getDeclaredField(fact.field());
                field.setAccessible(true);
                field.set(state.actor(), field.getType() == int.class ? 0 : null);
            }
        }
        return new String(codec.encode(state), StandardCharsets.ISO_8859_1);
    }
}
