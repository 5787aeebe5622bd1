package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** The operations of the Java side's entry class. */
public final class Operation {
    public static final int LOAD = 1;
    public static final int STEPS = 2;
    public static final int EVALUATE = 3;
    public static final int CLASSES = 4;
    public static final int WHERE = 5;
    public static final int RECORD = 6;
    public static final int NOTES = 7;
    public static final int SHOWN = 8;
    public static final int FINGERPRINT = 9;
    public static final int PREPARE = 10;
    public static final int COVERAGE = 11;
    public static final int ASIDE = 12;
    /** Answered by NobodyAnswer, not by Java. */
    public static final int THREADS = 13;
    /** Ends an execution that does not return. */
    public static final int STOP = 14;
    public static final int PROFILE = 15;

    private Operation() {}
}
