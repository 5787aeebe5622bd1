package harrier.runtime.rules;

import harrier.runtime.failure.RuleException;
import harrier.runtime.origin.Origin;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Finds the line of a program that broke a rule where that is noticed at the end of an execution. The same is executed again and
 * again, and looked at where a line begins or a method returns, until bisection leaves two such events in a row, with the rule whole
 * at the first one and broken at the second. If a line breaks what a later one mends and another breaks again, it may be either.
 */
public final class LineSearch {
    /** Of an execution with more events no line is looked for: that would take too long. */
    private static final int MOST_EVENTS = 1 << 20;
    /** How much processor time a search takes at most, in nanoseconds, beside the execution that goes on then. */
    private static final long LONGEST = 5_000_000_000L;

    private final Time time;
    private Supplier<String> broken = () -> null;
    private Supplier<?> done = () -> null;
    private String wanted;
    private int events;
    private int looksAt;
    private boolean isOn;
    private Look seen;
    private Throwable found;

    /** Looks for a line, as long as there is time. */
    public LineSearch(Time time) {
        this.time = time;
    }

    /** The time of a search, from its first execution on. What comes before that does not count. */
    public static final class Time {
        private long end;

        private boolean isOver() {
            long now = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            if (end == 0) {
                end = now + LONGEST;
            }
            return now > end;
        }
    }

    /**
     * What there was at an event.
     *
     * @param calls that led to the program's code that ran, or to what called it
     * @param isBroken whether the part that is broken in the end was broken
     * @param done what the execution had done, as its watcher tells it
     */
    public record Look(Throwable calls, boolean isBroken, Object done) {
        /** The line that begins, and the method that it is in. */
        public String place() {
            StackTraceElement[] frames = calls.getStackTrace();
            return frames.length == 0 ? "" : frames[0].toString();
        }
    }

    /**
     * Sets what describes the execution that begins.
     *
     * @param newBroken names the broken part, as {@link RuleException#broken} has it; null if nothing is
     * @param newDone the effects so far
     */
    public void watch(Supplier<String> newBroken, Supplier<?> newDone) {
        broken = newBroken;
        done = newDone;
    }

    /**
     * Code begins a line, or a method returns to one.
     *
     * @param holds whether the part that is broken in the end is broken now, beside the watched one
     */
    void event(boolean returns, Predicate<String> holds) {
        if (!isOn) {
            return; // before the search, and while a look runs code of the program
        }
        if (++events > MOST_EVENTS || events % 4096 == 0 && time.isOver()) {
            throw new Endless();
        }
        if (events == looksAt) {
            isOn = false;
            try {
                boolean isBroken = wanted != null && (holds.test(wanted) || wanted.equals(broken.get()));
                seen = new Look(calls(returns), isBroken, wanted == null ? done.get() : null);
            } finally {
                isOn = true;
            }
        }
    }

    /** The calls that led to the program's code that runs now, or to the program's code that called it. */
    private static Throwable calls(boolean ofCaller) {
        Throwable calls = new Throwable();
        StackTraceElement[] frames = calls.getStackTrace();
        int program = 0;
        while (Origin.isInternal(frames[program].getClassName())) {
            program++;
        }
        int caller = program + 1;
        while (caller < frames.length && Origin.isJdks(frames[caller].getClassName())) {
            caller++;
        }
        boolean isCalled = caller < frames.length && !Origin.isHarriers(frames[caller].getClassName());
        calls.setStackTrace(Arrays.copyOfRange(frames, ofCaller && isCalled ? caller : program, frames.length));
        return calls;
    }

    /** The calls that led to the line that was found; null if none was. */
    Throwable found() {
        return found;
    }

    /**
     * Finds the line that breaks a rule whenever it is executed.
     *
     * @param newWanted the part that is broken in the end
     * @param execute gives the refusal, null if nothing is refused
     * @return the refusal with the line; null if there is none
     */
    public RuleException find(String newWanted, Supplier<RuleException> execute) {
        wanted = newWanted;
        if (!isRefused(execute, 0)) {
            return null;
        }
        found = last(events, event -> isRefused(execute, event) ? seen : null);
        return found == null ? null : execute.get();
    }

    private boolean isRefused(Supplier<RuleException> execute, int event) {
        RuleException refused = run(event, execute).end;
        return refused != null && wanted.equals(refused.broken());
    }

    /**
     * An execution.
     *
     * @param end what it gives
     * @param events how many it has
     * @param look what there is at one of them; null if it ends before that
     */
    public record Run<T>(T end, int events, Look look) {}

    /** Executes, and looks at an event, counted from 1. */
    public <T> Run<T> run(int event, Supplier<T> execute) {
        if (time.isOver()) {
            throw new Endless();
        }
        events = 0;
        looksAt = event;
        seen = null;
        isOn = true;
        try {
            T given = execute.get();
            if (events > MOST_EVENTS || time.isOver()) {
                throw new Endless(); // also if the program caught it
            }
            return new Run<>(given, events, seen);
        } finally {
            isOn = false;
        }
    }

    /**
     * The calls that led to the last event before the part was broken.
     *
     * @param look gives what there is at an event; if that is null no line is found
     */
    public static Throwable last(int events, IntFunction<Look> look) {
        int whole = 0;
        int end = events + 1;
        Throwable line = null;
        while (end - whole > 1) {
            int middle = (whole + end) >>> 1;
            Look at = look.apply(middle);
            if (at == null) {
                return null;
            }
            if (at.isBroken) {
                end = middle;
            } else {
                whole = middle;
                line = at.calls;
            }
        }
        return line;
    }

    /** Ends an execution that takes too long. */
    private static final class Endless extends Error {
        private static final long serialVersionUID = 1;
    }
}
