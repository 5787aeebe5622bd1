package harrier.junit;

import harrier.Scenario;
import harrier.run.Binary;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;

/** Checks scenarios and replays traces: {@code Harrier.check(Paxos.class).set("acceptors", 5).assertVerified()}. */
public final class Harrier {
    private Harrier() {}

    /** A check of a scenario, with no options yet. */
    public static Check check(Class<? extends Scenario> scenario) {
        return new Check(scenario);
    }

    /**
     * Replays a trace against the program of the class path. In a virtual machine that is debugged, {@link #replay}
     * steps through a violation that comes about again.
     *
     * @throws AssertionError if its violation comes about again
     */
    public static void assertGone(Path trace) {
        var path = ClassPath.of(scenario(trace, Trace.read(trace).scenario()));
        var run = Binary.run(path.with(List.of("replay", trace.toString(), "--program", path.program())));
        if (run.code() == 1) {
            throw failure("the violation of " + trace + " came about again:\n\n" + run.out(), trace.toString());
        }
        run.require(0);
    }

    /**
     * Replays a trace on live objects in this virtual machine, so that a debugger steps through it. {@link
     * Breakpoint#before} is called before each step. The loop of a run that goes on for ever runs twice. Classes run as
     * they were compiled: what they read of clocks, random numbers and the machine other than by their actor is the
     * machine's, nothing is copied when it is sent, and no rule is checked.
     *
     * @throws AssertionError if its violation comes about; its cause is what a handler threw
     * @throws IllegalStateException at the first step that is not as in the trace, or that live objects cannot take
     */
    public static void replay(Path trace) {
        var read = Trace.read(trace);
        new Live(read, scenario(trace, read.scenario())).run();
    }

    /**
     * How a test fails with a violation, which is replayed first if this virtual machine was started for a debugger.
     */
    static AssertionError failure(String text, String trace) {
        var failure = new AssertionError(text);
        if (!trace.isEmpty() && ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .anyMatch(a -> a.contains("jdwp"))) {
            try {
                replay(Path.of(trace));
            } catch (AssertionError | RuntimeException e) {
                failure.initCause(e);
            }
        }
        return failure;
    }

    private static Class<? extends Scenario> scenario(Path trace, String name) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader())
                .asSubclass(Scenario.class);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(trace + " is of " + name + ", which is not on the class path", e);
        }
    }
}
