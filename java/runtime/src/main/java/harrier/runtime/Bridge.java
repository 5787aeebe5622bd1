package harrier.runtime;

import harrier.host.Hooks;
import harrier.runtime.analysis.FieldFact;
import harrier.runtime.codec.NotCapturableException;
import harrier.runtime.load.ProgramClasses;
import harrier.runtime.load.ProgramFiles;
import harrier.runtime.property.Evaluator;
import harrier.runtime.step.ActorClass;
import harrier.runtime.step.Envelope;
import harrier.runtime.step.Steps;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What harrier's Go side calls. There is one call: it names an operation, gives the question in one
 * buffer and takes the answer in another. An answer starts with a status.
 */
public final class Bridge {
    private static final int LOAD = 1;
    private static final int STEPS = 2;
    private static final int EVALUATE = 3;
    private static final int CLASSES = 4;
    private static final int WHERE = 5;
    private static final int RECORD = 6;

    private static final int RECEIVE = 0;

    private static final int OK = 0;
    private static final int USAGE = 1;
    private static final int RULE = 2;
    private static final int LIMIT = 3;
    private static final int INTERNAL = 4;
    private static final int DIFFERENCE = 5;

    private static volatile LoadedProgram program;
    private static byte[] pending = {};

    private Bridge() {}

    /**
     * Answers one question.
     *
     * @return how many bytes the answer has; if that is more than {@code out} holds, nothing was written
     *     and {@link #fetch} gives the answer
     */
    public static int call(int operation, ByteBuffer in, ByteBuffer out) {
        byte[] answer = answer(operation, new Wire.Reader(in));
        if (answer.length > out.capacity()) {
            pending = answer;
        } else {
            out.put(answer);
        }
        return answer.length;
    }

    /** Gives the answer that did not fit at the last call. */
    public static void fetch(ByteBuffer out) {
        out.put(pending);
        pending = new byte[0];
    }

    private static byte[] answer(int operation, Wire.Reader in) {
        try {
            Wire.Writer out = new Wire.Writer().number(OK);
            switch (operation) {
                case LOAD -> load(in, out);
                case STEPS -> steps(in, out);
                case EVALUATE -> evaluate(in, out);
                case CLASSES -> classes(out);
                case WHERE -> where(out);
                case RECORD -> record(in, out);
                default -> throw new IllegalArgumentException("operation " + operation);
            }
            return out.toBytes();
        } catch (UsageException e) {
            return error(USAGE, e.getMessage(), e.detail());
        } catch (RuleException | NotCapturableException e) {
            return error(RULE, e.getMessage(), List.of());
        } catch (LimitException e) {
            return error(LIMIT, e.getMessage(), List.of());
        } catch (Steps.DifferenceException e) {
            return new Wire.Writer().number(DIFFERENCE).bytes(e.local()).outcome(e.first()).outcome(e.second())
                .toBytes();
        } catch (OutOfMemoryError e) {
            return error(LIMIT, "the Java heap (" + (Runtime.getRuntime().maxMemory() >> 20)
                + " MB) is full: --java-heap gives it more", List.of());
        } catch (Throwable e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            return error(INTERNAL, e.toString(), trace.toString().lines().toList());
        }
    }

    private static byte[] error(int status, String text, List<String> detail) {
        return new Wire.Writer().number(status).string(text).strings(detail).toBytes();
    }

    private static void load(Wire.Reader in, Wire.Writer out) {
        // A load that failed leaves nothing behind.
        Hooks.takeRefusal();
        program = null;
        String path = in.string();
        Map<String, byte[]> classes = in.blobs();
        String scenario = in.string();
        Map<String, String> parameters = in.strings();
        boolean recheck = in.number() != 0;
        boolean silent = in.number() != 0;
        if (silent) {
            // What handlers print would drown the report; steps run many times and in any order.
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            System.setErr(System.out);
        } else {
            System.setOut(System.err);
        }
        ProgramClasses files = classes.isEmpty() ? ProgramFiles.read(Path.of(path))
            : new ProgramClasses(classes, classes.keySet());
        program = LoadedProgram.load(files, path, scenario, parameters, recheck);
        facts(out);
    }

    private static void facts(Wire.Writer out) {
        out.string(program.scenario().getClass().getName());
        Map<String, String> parameters = program.parameters();
        out.number(parameters.size());
        parameters.forEach((name, value) -> out.string(name).string(value));
        out.actors(program.initial().creates()).envelopes(program.initial().sends()).bytes(program.history());
        List<ActorClass> types = program.actorClasses();
        out.number(types.stream().mapToInt(t -> t.handlers().size()).sum());
        types.forEach(t -> t.handlers().forEach(h -> out.string(t.type().getName()).string(h.label())));
        List<Evaluator.Property> properties = program.evaluator().properties();
        out.number(properties.size());
        properties.forEach(p -> out.string(p.name()).number(p.isFinal() ? 1 : 0));
        List<FieldFact> fields = program.decomposition().fields();
        out.number(fields.size());
        fields.forEach(f -> out.string(f.type()).string(f.field()).number(f.verdict().ordinal()).strings(f.reason()));
    }

    private static void steps(Wire.Reader in, Wire.Writer out) {
        for (int n = in.number(); n > 0; n--) {
            byte[] local = in.bytes();
            Envelope message = received(in);
            Steps.Answer answer = program.steps().answer(local, message);
            out.number(answer.executions()).number(answer.outcomes().size());
            answer.outcomes().forEach(out::outcome);
        }
    }

    /** The message of an event, which is a receive: there are no others yet. */
    private static Envelope received(Wire.Reader in) {
        int kind = in.number();
        int messages = in.number();
        if (kind != RECEIVE || messages != 1) {
            throw new IllegalArgumentException("event of kind " + kind + " with " + messages + " messages");
        }
        return in.envelope();
    }

    private static void evaluate(Wire.Reader in, Wire.Writer out) {
        for (int n = in.number(); n > 0; n--) {
            Evaluator.Judgement judgement = program.evaluator().evaluate(in.number(), in.bytes(), in.actors());
            out.number(judgement.holds() ? 1 : 0).failure(judgement.failure()).numbers(judgement.reads());
        }
    }

    private static void record(Wire.Reader in, Wire.Writer out) {
        for (int n = in.number(); n > 0; n--) {
            out.bytes(program.recorder().extend(in.bytes(), in.records()));
        }
    }

    private static void classes(Wire.Writer out) {
        Map<String, byte[]> loaded = program.loader().loaded();
        out.number(loaded.size());
        loaded.forEach((name, bytes) -> out.string(name).bytes(bytes));
    }

    /** Where the program's code that runs now is. Asked by another thread, when it takes too long. */
    private static void where(Wire.Writer out) {
        int number = Running.number();
        String what = Running.what();
        Throwable here = new Throwable();
        here.setStackTrace(what.isEmpty() ? new StackTraceElement[0] : Running.thread().getStackTrace());
        out.number(number).string(what).strings(Failure.of(here).stack());
    }
}
