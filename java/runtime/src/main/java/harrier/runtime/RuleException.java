package harrier.runtime;

/** The program under check broke a rule of the checker. The message is one line with the mend. */
public final class RuleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RuleException(String message) {
        super(message);
    }
}
