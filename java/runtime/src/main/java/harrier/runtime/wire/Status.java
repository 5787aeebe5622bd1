package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** The statuses that an answer starts with. */
public final class Status {
    public static final int OK = 0;
    public static final int USAGE = 1;
    public static final int RULE = 2;
    public static final int LIMIT = 3;
    public static final int INTERNAL = 4;
    public static final int DIFFERENCE = 5;
    public static final int FORMAT = 6;
    /** As LIMIT, of a limit that ends all questions; Java does not give it. */
    public static final int ENDS = 7;
    /** As RULE, of what the program may do if it is loaded with threads. */
    public static final int THREADS = 8;

    private Status() {}
}
