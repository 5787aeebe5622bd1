package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** Values among the indices and numbers in a Judgement that are neither. */
public final class ReadIndex {
    /** HISTORY stands for the history in Judgement.Reads. */
    public static final int HISTORY = -1;
    /** NETWORK stands there for the messages in flight. */
    public static final int NETWORK = -2;

    private ReadIndex() {}
}
