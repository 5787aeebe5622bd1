package harrier.runtime.failure;

import java.util.List;

/** The program cannot be loaded as it was asked for. The message is one line with the mend. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<String> detail;

    public UsageException(String message) {
        this(message, List.of());
    }

    /** With further lines, such as a compiler's. */
    public UsageException(String message, List<String> detail) {
        super(message);
        this.detail = detail;
    }

    /** Further lines; empty if there are none. */
    public List<String> detail() {
        return detail;
    }
}
