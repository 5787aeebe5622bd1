package harrier.runtime.codec.format;

/** Thrown if bytes are no encoding. The runtime only reads what it wrote, so this is an internal fault. */
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    FormatException(String message) {
        super(message);
    }
}
