package harrier.runtime.failure;

import java.util.List;

/** The program under check broke a rule of the checker. The message is one line, which says how to mend it. */
public final class RuleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> detail;
    private final String broken;
    private final boolean isOfTwo;

    public RuleException(String message) {
        this(message, List.of());
    }

    /** With further lines, such as whose calls led to it. */
    public RuleException(String message, List<String> detail) {
        this(message, detail, null, false);
    }

    private RuleException(String message, List<String> detail, String broken, boolean isOfTwo) {
        super(message);
        this.detail = detail;
        this.broken = broken;
        this.isOfTwo = isOfTwo;
    }

    /**
     * A refusal of a whole execution.
     *
     * @param broken what was broken when it was over
     */
    public static RuleException ofExecution(String message, String broken) {
        return new RuleException(message, List.of(), broken, false);
    }

    /** A refusal of two executions that answer one question in different ways. */
    public static RuleException ofTwo(String message) {
        return new RuleException(message, List.of(), null, true);
    }

    /** Whether it is of two executions, where it is not known after which line they differ. */
    public boolean isOfTwo() {
        return isOfTwo;
    }

    /** What was broken at the end of an execution, where it is not known by which line; otherwise null. */
    public String broken() {
        return broken;
    }

    /** The same with further lines. */
    public RuleException with(List<String> lines) {
        return new RuleException(getMessage(), lines);
    }

    /** Further lines. */
    public List<String> detail() {
        return detail;
    }
}
