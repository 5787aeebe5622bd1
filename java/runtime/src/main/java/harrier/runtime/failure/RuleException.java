package harrier.runtime.failure;

import java.util.List;

/** The program under check broke a rule of the checker. The message is one line, which says how to mend it. */
public final class RuleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> detail;
    private final boolean ofExecution;

    public RuleException(String message) {
        this(message, List.of());
    }

    /** With further lines, such as whose calls led to it. */
    public RuleException(String message, List<String> detail) {
        this(message, detail, false);
    }

    private RuleException(String message, List<String> detail, boolean ofExecution) {
        super(message);
        this.detail = detail;
        this.ofExecution = ofExecution;
    }

    /** A refusal of a whole execution: which line of it broke the rule is not known. */
    public static RuleException ofExecution(String message) {
        return new RuleException(message, List.of(), true);
    }

    /** Whether it is not known which line broke the rule, of an execution that did. */
    public boolean isOfExecution() {
        return ofExecution;
    }

    /** Further lines. */
    public List<String> detail() {
        return detail;
    }
}
