package harrier.runtime.rules;

import harrier.runtime.failure.RuleException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Finds the line of a program that changed what a static field holds, which is noticed at the end of an execution. The same is
 * executed again and again, and looked at before one of the lines that it runs, until two in a row are known between which it
 * changed.
 */
public final class Lines {
    /** A line that code began, and the calls that led there. */
    record Line(String place, Throwable calls) {}

    private long begun;
    private long looksAt;
    private boolean isLooking;
    private boolean isChanged;
    private Line last;
    private Line found;

    /** Code begins a line. */
    void begin(String place, BooleanSupplier changed) {
        if (!isLooking && ++begun == looksAt) {
            isLooking = true; // which may run code of the program
            isChanged = changed.getAsBoolean();
            isLooking = false;
            last = new Line(place, new Throwable());
        }
    }

    /** The line that was found; null if none was. */
    Line found() {
        return found;
    }

    /**
     * Finds the line of what is refused whenever it is executed.
     *
     * @param execute gives what it is refused for, null if it is not
     * @return that with the line, null if there is none
     */
    public RuleException find(Supplier<RuleException> execute) {
        if (!isRefused(execute, 0)) {
            return null;
        }
        long unchanged = 0;
        long changed = begun + 1;
        Line line = null;
        while (changed - unchanged > 1) {
            long middle = (unchanged + changed) >>> 1;
            if (!isRefused(execute, middle)) {
                return null;
            }
            if (isChanged) {
                changed = middle;
            } else {
                unchanged = middle;
                line = last;
            }
        }
        found = line;
        return line == null ? null : execute.get();
    }

    private boolean isRefused(Supplier<RuleException> execute, long line) {
        begun = 0;
        looksAt = line;
        return execute.get() != null;
    }
}
