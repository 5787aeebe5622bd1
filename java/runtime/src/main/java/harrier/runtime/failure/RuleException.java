package harrier.runtime.failure;

import java.util.List;

/** The program under check broke a rule of the checker. The message is one line, which says how to mend it. */
public final class RuleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> detail;
    private final String broken;
    private final boolean isOfTwo;
    private final String allow;

    public RuleException(String message) {
        this(message, List.of());
    }

    /** With further lines, such as whose calls led to it. */
    public RuleException(String message, List<String> detail) {
        this(message, detail, null, false, null);
    }

    private RuleException(String message, List<String> detail, String broken, boolean isOfTwo, String allow) {
        super(message);
        this.detail = detail;
        this.broken = broken;
        this.isOfTwo = isOfTwo;
        this.allow = allow;
    }

    /**
     * A refusal of what some code does.
     *
     * @param allow the flag's value that relaxes the rule, as {@code name=value}; empty without one
     */
    public static RuleException ofCode(String message, List<String> detail, String allow) {
        return new RuleException(message, detail, null, false, allow);
    }

    /**
     * A refusal of a whole execution.
     *
     * @param broken names the part found broken at the end of the execution
     */
    public static RuleException ofExecution(String message, String broken) {
        return new RuleException(message, List.of(), broken, false, null);
    }

    /** A refusal of two executions that answer one question in different ways. */
    public static RuleException ofTwo(String message) {
        return new RuleException(message, List.of(), null, true, null);
    }

    /** Reports whether it is of two executions, where it is not known after which line they differ. */
    public boolean isOfTwo() {
        return isOfTwo;
    }

    /** The part that was broken at the end of an execution, where it is not known by which line; otherwise null. */
    public String broken() {
        return broken;
    }

    /** What relaxes the rule that some code broke, as {@code name=value}, empty if nothing does; null if it is no refusal of code. */
    public String allow() {
        return allow;
    }

    /** The same with other further lines. */
    public RuleException with(List<String> lines) {
        return new RuleException(getMessage(), lines, null, false, allow);
    }

    /** Further lines. */
    public List<String> detail() {
        return detail;
    }
}
