package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** The kinds of failures. */
public final class FailureKind {
    /** ASSERTION means that an AssertionError was thrown. */
    public static final String ASSERTION = "assertion";
    /** EXCEPTION means that anything else was thrown. */
    public static final String EXCEPTION = "exception";
    /** HANG means that the handler, or the evaluation of a property, did not return. */
    public static final String HANG = "hang";
    /** STUCK means that threads of the actor wait for each other, and nothing can wake them. */
    public static final String STUCK = "deadlock";
    /** EXPLANATION means that a property was evaluated and does not hold. */
    public static final String EXPLANATION = "explanation";

    private FailureKind() {}
}
