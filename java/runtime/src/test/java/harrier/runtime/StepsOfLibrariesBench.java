package harrier.runtime;

import harrier.runtime.actor.Envelope;
import harrier.runtime.load.compile.ClassPath;
import harrier.runtime.load.compile.ProgramFiles;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.Outcome;
import harrier.runtime.step.Steps;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How many local steps of programs over libraries Java takes in a second of processor time: {@code make bench-steps}.
 * The steps are those of the first local states that actors can reach where every message stays in flight, in the order
 * in which they are found.
 */
public final class StepsOfLibrariesBench {
    private static final int QUESTIONS = 500;

    private final Steps steps;
    private final Map<String, List<byte[]>> locals = new HashMap<>();
    private final Map<String, List<Envelope>> inboxes = new HashMap<>();
    private final Set<Object> met = new HashSet<>();
    private final Deque<Question> open = new ArrayDeque<>();

    /** A step of an actor that consumes a message, or an internal one if there is none. */
    private record Question(String actor, byte[] local, Envelope message) {}

    private StepsOfLibrariesBench(LoadedProgram program) {
        steps = program.steps();
        program.initial().creates().forEach(this::add);
        program.initial().sends().forEach(this::add);
    }

    /** Arguments: the program, the folder of its jars, and rules that are relaxed. */
    public static void main(String[] args) throws IOException {
        UserProgram.prepare();
        ClassPath classPath;
        try (Stream<Path> jars = Files.list(Path.of(args[1]))) {
            classPath = ClassPath.open(jars.map(Path::toString).sorted().toList());
        }
        List<String> allowed = List.of(args).subList(2, args.length);
        long begin = cpu();
        LoadedProgram program = Loading.load(ProgramFiles.read(Path.of(args[0]), classPath), args[0], "", Map.of(),
            new Options(Recheck.NONE, false, Rules.parse("--allow", allowed)));
        double setUp = (cpu() - begin) / 1e9;
        StepsOfLibrariesBench bench = new StepsOfLibrariesBench(program);
        List<Question> asked = bench.explore();
        long bytes = asked.stream().mapToLong(q -> q.local.length).sum() / asked.size();
        double rate = 0;
        for (int i = 0; i < 2; i++) { // the first time, code is compiled
            begin = cpu();
            int n = 0;
            for (; cpu() - begin < 2_000_000_000L; n++) {
                bench.answer(asked.get(n % asked.size()));
            }
            rate = n * 1e9 / (cpu() - begin);
        }
        System.out.printf("%s %s: set-up %.1f s, states of %,d bytes, %,.0f steps a second%n", args[0], allowed, setUp, bytes, rate);
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private List<Question> explore() {
        List<Question> asked = new ArrayList<>();
        while (!open.isEmpty() && asked.size() < QUESTIONS) {
            Question question = open.remove();
            List<Outcome> outcomes = answer(question).outcomes();
            if (question.message != null || !outcomes.isEmpty()) {
                asked.add(question);
            }
            for (Outcome outcome : outcomes) {
                if (outcome.failure() == null) {
                    add(new ActorState(question.actor, "", outcome.local(), false));
                    outcome.creates().forEach(this::add);
                    outcome.sends().forEach(this::add);
                }
            }
        }
        return asked;
    }

    private Steps.Answer answer(Question question) {
        return question.message == null ? UserProgram.internal(steps, question.local)
            : UserProgram.answer(steps, question.local, question.message);
    }

    private void add(ActorState state) {
        if (met.add(List.of(state.name(), ByteBuffer.wrap(state.local())))) {
            locals.computeIfAbsent(state.name(), n -> new ArrayList<>()).add(state.local());
            open.add(new Question(state.name(), state.local(), null));
            inboxes.getOrDefault(state.name(), List.of()).forEach(m -> open.add(new Question(state.name(), state.local(), m)));
        }
    }

    private void add(Envelope message) {
        if (met.add(message)) {
            inboxes.computeIfAbsent(message.receiver(), n -> new ArrayList<>()).add(message);
            locals.getOrDefault(message.receiver(), List.of())
                .forEach(l -> open.add(new Question(message.receiver(), l, message)));
        }
    }
}
