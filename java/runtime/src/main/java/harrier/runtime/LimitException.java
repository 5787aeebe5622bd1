package harrier.runtime;

/** A step ran into a bound of memory. The message is one line with the mend. */
public final class LimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LimitException(String message) {
        super(message);
    }
}
