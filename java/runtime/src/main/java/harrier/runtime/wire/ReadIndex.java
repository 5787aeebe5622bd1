package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** What stands among indices and numbers in a Judgement for what has none. */
public final class ReadIndex {
    /** HISTORY stands for the history in Judgement.Reads. */
    public static final int HISTORY = -1;
    /** NETWORK stands there for what is in flight. */
    public static final int NETWORK = -2;

    private ReadIndex() {}
}
