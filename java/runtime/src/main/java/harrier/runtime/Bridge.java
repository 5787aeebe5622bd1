package harrier.runtime;

import harrier.Scenario;
import harrier.host.StepStopped;
import harrier.runtime.actor.ActorClass;
import harrier.runtime.actor.Declared;
import harrier.runtime.actor.Envelope;
import harrier.runtime.analysis.Decomposition.ObjectField;
import harrier.runtime.analysis.footprint.Footprint;
import harrier.runtime.analysis.slice.FieldFact;
import harrier.runtime.analysis.slice.SenderFact;
import harrier.runtime.codec.format.FormatException;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.jdk.JdkRewrite;
import harrier.runtime.load.Assertions;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ClassPath;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.load.compile.ProgramFiles;
import harrier.runtime.profile.Profile;
import harrier.runtime.program.Covered;
import harrier.runtime.program.Fingerprint;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.LoadedProgram.HandlerFact;
import harrier.runtime.program.Options;
import harrier.runtime.program.Wire;
import harrier.runtime.property.Evaluator;
import harrier.runtime.recheck.Stopped;
import harrier.runtime.refusal.Loading;
import harrier.runtime.refusal.OtherRefusals;
import harrier.runtime.refusal.RefusedLine;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Notes;
import harrier.runtime.rules.Running;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.step.Chosen;
import harrier.runtime.step.Steps;
import harrier.runtime.wire.EventKind;
import harrier.runtime.wire.Operation;
import harrier.runtime.wire.Status;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * What harrier's Go side calls. There is one call: it names an operation and the worker who is to answer, gives
 * the question in one buffer and takes the answer in another. An answer starts with a status.
 *
 * <p>Several threads may call at once, each for a worker of its own. A program is loaded, and its classes are
 * read, while nobody else calls.
 */
public final class Bridge {
    private static final Map<Integer, Worker> WORKERS = new ConcurrentHashMap<>();
    private static volatile LoadedProgram loaded;
    private static volatile Covered covered;
    private static volatile OtherRefusals others;
    /** Null unless a program was loaded to be profiled. */
    private static volatile Profile profile;

    private Bridge() {}

    /**
     * Readies the virtual machine, before anything else: rewrites the JDK's classes. No other thread links code
     * meanwhile, as once in hundreds of starts a lambda then failed with an IllegalAccessError.
     */
    static void start() {
        JdkRewrite.install(JdkRewrite.begin(System.getProperty("harrier.jdk")), Bridge::redefineAll);
    }

    private static void redefineAll(Class<?>[] types, byte[][] files) {
        int error = redefine(types, files);
        if (error != 0) {
            throw new IllegalStateException("JVMTI's error " + error);
        }
    }

    /** Gives classes other bodies, and returns the number of an error, 0 for none. Go's side implements it. */
    private static native int redefine(Class<?>[] types, byte[][] files);

    /**
     * Answers one question.
     *
     * @param number the number of the worker who is to answer
     * @return how many bytes the answer has; if that is more than {@code out} holds, nothing was written
     *     and {@link #fetch} gives the answer
     */
    public static int call(int operation, int number, ByteBuffer in, ByteBuffer out) {
        Worker worker = WORKERS.computeIfAbsent(number, n -> new Worker());
        // Nobody waits here. A worker's next call may come on another thread, which sees what this one did.
        synchronized (worker) {
            return worker.give(answer(operation, worker, new Wire.Reader(in)), out);
        }
    }

    /** Gives the answer that did not fit at the worker's last call. */
    public static void fetch(int number, ByteBuffer out) {
        Worker worker = WORKERS.get(number);
        synchronized (worker) {
            worker.fetch(out);
        }
    }

    private static byte[] answer(int operation, Worker worker, Wire.Reader in) {
        try {
            Wire.Writer out = new Wire.Writer().number(Status.OK);
            switch (operation) {
                case Operation.LOAD -> load(worker, in, out);
                case Operation.STEPS -> steps(worker, in, out);
                case Operation.ASIDE -> loaded.loader().coverage().aside(() -> steps(worker, in, out));
                case Operation.EVALUATE -> evaluate(worker, in, out);
                case Operation.CLASSES -> classes(out);
                case Operation.WHERE -> where(out);
                case Operation.STOP -> stop(in.number(), in.number(), in.string());
                case Operation.NOTES -> notes(out);
                case Operation.COVERAGE -> covered.write(out);
                case Operation.PROFILE -> profile.write(out);
                case Operation.PREPARE -> ProgramFiles.prepare(Path.of(in.string()), ClassPath.open(in.list()));
                case Operation.FINGERPRINT -> Fingerprint.write(loaded, out);
                case Operation.SHOWN -> out.bytes(worker.program(loaded).shown().of(in.bytes(), in.flag()));
                case Operation.RECORD -> record(worker.program(loaded), in, out);
                default -> throw new IllegalArgumentException("operation " + operation);
            }
            return out.toBytes();
        } catch (UsageException e) {
            return error(Status.USAGE, e.getMessage(), e.detail());
        } catch (RuleException e) {
            RuleException all = operation == Operation.LOAD || loaded == null ? e : others.with(e, loaded.loader());
            return error(rule(), all.getMessage(), all.detail());
        } catch (NotCapturableException e) {
            return error(rule(), e.getMessage(), List.of());
        } catch (LimitException e) {
            return error(Status.LIMIT, e.getMessage(), List.of());
        } catch (Steps.DifferenceException e) {
            return new Wire.Writer().number(Status.DIFFERENCE).bytes(e.local()).flag(e.isOfSeveral()).outcome(e.first())
                .outcome(e.second()).strings(e.line()).toBytes();
        } catch (StepStopped e) {
            worker.renew();
            return error(Status.LIMIT, "code of the program " + e.getMessage(), Failure.of(e).stack());
        } catch (OutOfMemoryError e) {
            return error(Status.LIMIT, "the Java heap (" + (Runtime.getRuntime().maxMemory() >> 20)
                + " MB) is full: --java-heap gives it more", List.of());
        } catch (Throwable e) {
            if (Failure.isOfProgram(e)) {
                return error(Status.RULE, "code of the program fails where it is neither a handler, a property nor set-up: "
                    + Failure.describe(e), Failure.stack(e));
            }
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            return error(e instanceof FormatException ? Status.FORMAT : Status.INTERNAL, e.toString(),
                trace.toString().lines().toList());
        }
    }

    /** The status of a refusal. */
    private static int rule() {
        return loaded != null && loaded.loader().wantsThreads() ? Status.THREADS : Status.RULE;
    }

    private static byte[] error(int status, String text, List<String> detail) {
        return new Wire.Writer().number(status).string(text).strings(detail).toBytes();
    }

    private static void load(Worker worker, Wire.Reader in, Wire.Writer out) {
        // A load that failed leaves nothing behind.
        Guard.takeRefusal();
        loaded = null;
        String path = in.string();
        List<String> classPath = in.list();
        Map<String, byte[]> classes = in.blobs();
        Map<String, byte[]> libraries = in.blobs();
        Map<String, byte[]> resources = in.blobs();
        String scenario = in.string();
        Map<String, String> parameters = in.strings();
        Map<String, String> settings = in.strings();
        Options options = Options.of(settings);
        if (settings.containsKey("profile") && profile == null) {
            profile = Profile.begin();
        }
        if (!options.output()) {
            // What handlers print would drown the report; steps run many times and in any order.
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            System.setErr(System.out);
        } else {
            System.setOut(System.err);
        }
        ProgramClasses files = classes.isEmpty() ? ProgramFiles.read(Path.of(path), ClassPath.open(classPath))
            : ProgramFiles.given(classes, libraries, resources);
        LoadedProgram program = Loading.load(files, path, scenario, parameters, options);
        worker.load(program);
        others = new OtherRefusals(files, program.scenario().getClass().getName());
        loaded = program;
        facts(program, out);
    }

    private static void facts(LoadedProgram program, Wire.Writer out) {
        out.string(program.scenario().getClass().getName());
        Map<String, String> parameters = program.parameters();
        out.number(parameters.size());
        parameters.forEach((name, value) -> out.string(name).string(value));
        out.actors(program.initial().creates()).envelopes(program.initial().sends()).bytes(program.history());
        out.roles(program.declared().roles());
        List<ActorClass> actors = program.actorClasses();
        covered = new Covered(program, actors);
        List<HandlerFact> handlers = actors.stream().flatMap(t -> program.handlers(t).stream()).toList();
        out.number(handlers.size());
        handlers.forEach(h -> out.string(h.type()).string(h.label()).number(h.kind().ordinal()).flag(h.isQuorum())
            .string(h.takes()).flag(h.isExact()).string(h.place()));
        List<Evaluator.Property> properties = program.evaluator().properties();
        out.number(properties.size());
        for (Evaluator.Property p : properties) {
            out.string(p.name()).flag(program.decomposition().agendaSeen().contains(p.methodName()))
                .number(p.kind().ordinal()).string(p.actor()).string(program.place(p.method()))
                .numbers(program.decomposition().mayRead().getOrDefault(p.methodName(), List.of()));
        }
        List<Evaluator.Liveness> liveness = program.evaluator().liveness();
        out.number(liveness.size());
        for (Evaluator.Liveness l : liveness) {
            out.string(l.name()).number(l.kind().ordinal()).string(l.formula()).string(l.actor())
                .string(program.place(l.method())).number(l.atoms().size());
            l.atoms().forEach((name, property) -> out.string(name).number(property));
        }
        objects(program, out);
        out.scope(program.declared().fifo()).scope(program.declared().connected());
        out.number(program.declared().components().size());
        program.declared().components().forEach(out::strings);
        out.scope(program.declared().strong()).scope(program.declared().byChoice()).scope(program.declared().unfair())
            .strings(program.declared().unfairMessages()).flag(program.declared().heals())
            .flag(program.declared().recovers()).rounds(program.declared().rounds())
            .number(program.declared().mostFirings() + 1).string(Declared.HELD_BACK);
        out.number(program.declared().faults().size());
        program.declared().faults().forEach(out::fault);
        List<FieldFact> fields = program.decomposition().fields();
        out.number(fields.size());
        fields.forEach(f -> out.string(f.type()).string(f.field()).string(f.owner()).number(f.verdict().ordinal())
            .flag(f.forProperties()).strings(f.reason())
            .strings(properties.stream().map(p -> f.seen().getOrDefault(p.methodName(), "")).toList()));
        List<SenderFact> senders = program.decomposition().senders();
        out.number(senders.size());
        senders.forEach(s -> out.string(s.message()).string(s.actor()).number(s.verdict().ordinal())
            .strings(s.reason()));
        List<Footprint> footprints = program.decomposition().footprints();
        out.number(footprints.size());
        footprints.forEach(out::footprint);
        Class<? extends Scenario> scenario = program.scenario().getClass();
        out.strings(program.remarks()).flag(Evaluator.calls("inFlight", scenario, program.loader()))
            .flag(program.steps().seesStopped())
            .flag(Assertions.areIn(program.loader().classes())).flag(ProgramLoader.hasThreads(scenario));
        Map<String, String> labels = program.loader().classes().longerLabels();
        if (ProgramLoader.hasThreads(scenario)) {
            labels = new TreeMap<>(labels);
            labels.putAll(ProgramLoader.REPLACED);
        }
        out.number(labels.size());
        labels.forEach((type, label) -> out.string(type).string(label));
    }

    /** Each with those of the properties that may read it. */
    private static void objects(LoadedProgram program, Wire.Writer out) {
        List<ObjectField> objects = program.decomposition().objects();
        List<Evaluator.Property> properties = program.evaluator().properties();
        out.number(objects.size());
        for (ObjectField f : objects) {
            List<Integer> seen = new ArrayList<>();
            for (int i = 0; i < properties.size(); i++) {
                if (f.seen().contains(properties.get(i).methodName())) {
                    seen.add(i);
                }
            }
            out.string(f.type()).string(f.field()).number(f.number()).numbers(seen);
        }
    }

    /** How many questions are held in memory with all that their executions gave. */
    private static final int AT_ONCE = 64;

    private static void steps(Worker worker, Wire.Reader in, Wire.Writer out) {
        answers(worker, in, () -> asked(in), (by, asked) -> by.answers(asked),
            (answer, isAll) -> out.answer(answer).flag(isAll && !answer.fails()));
    }

    /**
     * Answers some questions.
     *
     * @param next reads a question
     * @param ask has a program answer some
     * @param write takes an answer, and whether it is all that came of its question
     */
    private static <Q, A> void answers(Worker worker, Wire.Reader in, Supplier<Q> next,
            BiFunction<RefusedLine, List<Q>, List<A>> ask, BiConsumer<A, Boolean> write) {
        for (int left = in.number(); left > 0; left -= AT_ONCE) {
            int noted = notes().count();
            List<A> answers = answered(worker, some(left, next), ask);
            boolean isAll = isAll(noted);
            for (A answer : answers) {
                write.accept(answer, isAll);
            }
        }
    }

    /** The answers to some questions. Where an execution does not return, another copy of the program goes on with the other questions. */
    @SuppressWarnings("unchecked") // a question that was stopped has an answer like the others
    private static <Q, A> List<A> answered(Worker worker, List<Q> asked, BiFunction<RefusedLine, List<Q>, List<A>> ask) {
        try {
            return asked.isEmpty() ? List.of() : ask.apply(new RefusedLine(worker.program(loaded)), asked);
        } catch (Stopped e) {
            worker.renew();
            if (e.isRepetition()) {
                throw new RuleException("code of the program returns in one execution, and does not in another one of the same: "
                    + "it must not depend on iteration order, time or chance");
            }
            List<A> all = new ArrayList<>(answered(worker, asked.subList(0, e.question()), ask));
            all.add((A) e.answer());
            all.addAll(answered(worker, asked.subList(e.question() + 1, asked.size()), ask));
            return all;
        }
    }

    private static Notes notes() {
        return loaded.loader().guard().notes();
    }

    /**
     * Reports whether the answers of a batch depend on nothing but the questions and what the program's fingerprint is
     * of, so that they may be kept: nothing was noted while they were worked out, no class was initialized that holds
     * values, and no input was read.
     *
     * @param noted how much was noted before
     */
    private static boolean isAll(int noted) {
        return notes().count() == noted && !notes().hasInput();
    }

    private static <T> List<T> some(int left, Supplier<T> next) {
        List<T> some = new ArrayList<>();
        for (int i = 0; i < Math.min(left, AT_ONCE); i++) {
            some.add(next.get());
        }
        return some;
    }

    private static Steps.Request asked(Wire.Reader in) {
        byte[] local = in.bytes();
        EventKind kind = EventKind.values()[in.number()];
        Steps.Request asked = asked(kind, local, in.envelopes());
        if (in.flag()) {
            asked = asked.only(new Chosen(in.number(), in.string(), in.numbers()));
        }
        return in.flag() ? asked.repeatedAs(asked(kind, in.bytes(), in.envelopes())) : asked;
    }

    private static Steps.Request asked(EventKind kind, byte[] local, List<Envelope> messages) {
        boolean isWithin = kind == EventKind.RESTART_WITHIN || kind == EventKind.STOP_WITHIN || kind == EventKind.CRASH_WITHIN;
        if (messages.isEmpty() == (kind == EventKind.RECEIVE) && !isWithin) {
            throw new IllegalArgumentException("event of kind " + kind + " with " + messages.size() + " messages");
        }
        return switch (kind) {
            case RECEIVE -> Steps.Request.messages(local, messages);
            case INTERNAL -> Steps.Request.internal(local);
            case RESTART -> Steps.Request.restart(local);
            case CRASH -> Steps.Request.crash(local);
            case TICK -> Steps.Request.tick(local);
            case RESTART_WITHIN, STOP_WITHIN, CRASH_WITHIN -> Steps.Request.within(local, messages, kind);
            default -> throw new IllegalArgumentException("event of kind " + kind + ", which runs nothing");
        };
    }

    private static void evaluate(Worker worker, Wire.Reader in, Wire.Writer out) {
        answers(worker, in,
            () -> new Evaluator.Request(in.number(), in.bytes(), in.actors(), in.envelopes(), in.numbers(), in.numbers(), in.numbered()),
            (by, asked) -> by.judgements(asked),
            (j, isAll) -> out.judgement(j).flag(isAll && j.failure() == null));
    }

    private static void record(LoadedProgram program, Wire.Reader in, Wire.Writer out) {
        for (int n = in.number(); n > 0; n--) {
            int noted = notes().count();
            out.bytes(new RefusedLine(program).history(in.bytes(), in.records())).flag(isAll(noted));
        }
    }

    private static void classes(Wire.Writer out) {
        Map<String, byte[]> all = new TreeMap<>(loaded.loader().loaded());
        WORKERS.values().forEach(w -> w.addClasses(loaded, all));
        Map<String, byte[]> libraries = new TreeMap<>(all);
        libraries.keySet().removeAll(loaded.loader().classes().own());
        all.keySet().removeAll(libraries.keySet());
        blobs(all, out);
        blobs(libraries, out);
        blobs(loaded.loader().resources(), out);
    }

    private static void blobs(Map<String, byte[]> blobs, Wire.Writer out) {
        out.number(blobs.size());
        blobs.forEach((name, bytes) -> out.string(name).bytes(bytes));
    }

    /** The relaxed rules, and the notes on the program so far, of all workers. */
    private static void notes(Wire.Writer out) {
        Refusals.requireNoneElsewhere();
        Guard guard = loaded.loader().guard();
        out.strings(guard.rules().list()).strings(guard.notes().list()).flag(guard.notes().hasInput())
            .strings(List.copyOf(loaded.loader().resourcesAsked().keySet()));
    }

    /** Ends an execution: the one with a number on a thread. */
    private static void stop(int thread, int execution, String why) {
        for (Running running : Running.all()) {
            if ((int) running.thread().getId() == thread) {
                running.stop(execution, why);
            }
        }
    }

    /** Where the program's code that runs now is, thread by thread, with the processor time of the thread. Asked when it may take too long. */
    private static void where(Wire.Writer out) {
        for (Running running : Running.all()) {
            int number = running.number();
            String what = running.what();
            if (!what.isEmpty()) {
                Throwable here = new Throwable();
                here.setStackTrace(running.thread().getStackTrace());
                long used = ManagementFactory.getThreadMXBean().getThreadCpuTime(running.thread().getId());
                out.number(1).number((int) running.thread().getId()).number(number)
                    .number((int) (used / 1_000_000_000)).number((int) (used % 1_000_000_000)).string(what)
                    .strings(Failure.of(here).stack());
            }
        }
        out.number(0);
    }
}
