package harrier.runtime.rules;

import harrier.runtime.failure.RuleException;
import java.util.Arrays;
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

    private Supplier<String> broken = () -> null;
    private String wanted;
    private int events;
    private int looksAt;
    private boolean isLooking;
    private boolean isBroken;
    /** The calls that led to the event that was looked at. */
    private Throwable last;
    private Throwable found;

    /** Says what tells what is broken in the execution that begins, as {@link RuleException#broken} has it; null if nothing is. */
    public void watch(Supplier<String> newBroken) {
        broken = newBroken;
    }

    /**
     * Code begins a line, or a method returns to one.
     *
     * @param holds whether what is broken in the end is broken now, beside what is watched
     */
    void event(boolean returns, Predicate<String> holds) {
        if (wanted == null || isLooking) {
            return; // before the search, and while a look at what is broken runs code of the program
        }
        if (++events > MOST_EVENTS) {
            throw new Endless();
        }
        if (events == looksAt) {
            isLooking = true;
            try {
                isBroken = holds.test(wanted) || wanted.equals(broken.get());
                last = calls(returns);
            } finally {
                isLooking = false;
            }
        }
    }

    /** The calls that led to the program's code that runs now, or to what called it. */
    private static Throwable calls(boolean ofCaller) {
        Throwable calls = new Throwable();
        StackTraceElement[] frames = calls.getStackTrace();
        int program = 0;
        while (Stack.isOurs(frames[program].getClassName())) {
            program++;
        }
        calls.setStackTrace(Arrays.copyOfRange(frames, ofCaller ? program + 1 : program, frames.length));
        return calls;
    }

    /** The calls that led to the line that was found; null if none was. */
    Throwable found() {
        return found;
    }

    /**
     * Finds the line of what is refused whenever it is executed.
     *
     * @param newWanted what is broken in the end
     * @param execute gives the refusal, null if nothing is refused
     * @return the refusal with the line; null if there is none
     */
    public RuleException find(String newWanted, Supplier<RuleException> execute) {
        wanted = newWanted;
        if (!isRefused(execute, 0)) {
            return null;
        }
        int whole = 0;
        int end = events + 1;
        Throwable line = null;
        while (end - whole > 1) {
            int middle = (whole + end) >>> 1;
            last = null;
            if (!isRefused(execute, middle) || last == null) {
                return null;
            }
            if (isBroken) {
                end = middle;
            } else {
                whole = middle;
                line = last;
            }
        }
        found = line;
        events = 0;
        return line == null ? null : execute.get();
    }

    private boolean isRefused(Supplier<RuleException> execute, int event) {
        events = 0;
        looksAt = event;
        RuleException refused = execute.get();
        return refused != null && wanted.equals(refused.broken());
    }

    /** Ends an execution that takes too long. */
    private static final class Endless extends Error {
        private static final long serialVersionUID = 1;
    }
}
