package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.codec.Codec;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;

/** Programs with a connection, most of them random, whose runs end as those of a naive interpreter of them do. */
public class SocketTwinTest {
    private static final int PROGRAMS = Integer.getInteger("harrier.programs", 6);

    @Test
    public void runsEndAsThoseOfANaiveInterpreterDo() throws Exception {
        Random random = new Random(Long.getLong("harrier.seed", 1));
        List<SocketTwin> programs = new ArrayList<>(List.of(
            new SocketTwin(List.of("W1", "R1"), List.of("C0")), // closed before all is read
            new SocketTwin(List.of("R1", "W1", "Y0", "R1"), List.of("C0")))); // written to after it is closed
        for (int i = 0; i < PROGRAMS; i++) {
            programs.add(new SocketTwin(random));
        }
        StringBuilder text = new StringBuilder("import java.io.*; import java.net.*;\n");
        for (int i = 0; i < programs.size(); i++) {
            text.append(programs.get(i).source(i));
        }
        ProgramClasses classes = UserProgram.compile(text.toString());
        int several = 0;
        for (int i = 0; i < programs.size(); i++) {
            Set<String> expected = programs.get(i).ends();
            assertEquals(programs.get(i).source(i), expected, ends(classes, "S" + i));
            several += expected.size() > 2 ? 1 : 0; // one is that the connection is refused
        }
        assertTrue(several + " of " + PROGRAMS + " end in several ways", several > PROGRAMS / 12);
    }

    /** The local states of both ends, and the messages in flight. */
    private record State(Map<String, byte[]> locals, List<Envelope> inFlight) {
        State after(String actor, Envelope taken, Outcome outcome) {
            assertNull(outcome.failure() == null ? "" : outcome.failure().text(), outcome.failure());
            Map<String, byte[]> next = new TreeMap<>(locals);
            next.put(actor, outcome.local());
            List<Envelope> left = new ArrayList<>(inFlight);
            left.remove(taken);
            left.addAll(outcome.sends());
            left.sort(Comparator.comparing(Envelope::receiver).thenComparing(Envelope::payload, Arrays::compare));
            return new State(next, left);
        }

        String key() {
            StringBuilder key = new StringBuilder();
            locals.values().forEach(l -> key.append(HexFormat.of().formatHex(l)).append(' '));
            inFlight.forEach(m -> key.append(m.receiver()).append(HexFormat.of().formatHex(m.payload())).append(' '));
            return key.toString();
        }
    }

    private static Set<String> ends(ProgramClasses classes, String scenario) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        LoadedProgram program = Loading.load(classes, "Program.java", scenario, Map.of(),
            new Options(Recheck.ALL, false, Rules.STRICT, false, List.of(), List.of(), false, false));
        try {
            Codec codec = new Codec(program.loader(), program.loader()::defined);
            Set<String> ends = new TreeSet<>();
            Set<String> known = new HashSet<>();
            Map<String, byte[]> initial = new TreeMap<>();
            program.initial().creates().forEach(a -> initial.put(a.name(), a.local()));
            Deque<State> open = new ArrayDeque<>(List.of(new State(initial, List.of())));
            while (!open.isEmpty()) {
                State s = open.pop();
                if (known.add(s.key())) {
                    List<State> next = next(program.steps(), s);
                    if (next.isEmpty()) {
                        ends.add(log(codec, s.locals.get("e0")) + "|" + log(codec, s.locals.get("e1")));
                    }
                    open.addAll(next);
                }
            }
            return ends;
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static List<State> next(Steps steps, State s) {
        List<State> next = new ArrayList<>();
        s.locals.forEach((actor, local) -> steps.answers(List.of(Steps.Request.internal(local))).get(0).outcomes()
            .forEach(o -> next.add(s.after(actor, null, o))));
        for (Envelope m : s.inFlight) {
            steps.answers(List.of(Steps.Request.messages(s.locals.get(m.receiver()), List.of(m)))).get(0).outcomes()
                .forEach(o -> next.add(s.after(m.receiver(), m, o)));
        }
        return next;
    }

    private static String log(Codec codec, byte[] local) throws Exception {
        Object actor = codec.decodeLocalState(local).actor();
        var log = actor.getClass().getDeclaredField("log");
        log.setAccessible(true);
        return (String) log.get(actor);
    }
}
