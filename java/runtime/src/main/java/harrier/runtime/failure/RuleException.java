package harrier.runtime.failure;

import java.util.List;

/** The program under check broke a rule of the checker. The message is one line, which says how to mend it. */
public final class RuleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> detail;

    public RuleException(String message) {
        this(message, List.of());
    }

    /** With further lines, such as whose calls led to it. */
    public RuleException(String message, List<String> detail) {
        super(message);
        this.detail = detail;
    }

    /** Further lines. */
    public List<String> detail() {
        return detail;
    }
}
