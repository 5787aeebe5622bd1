package harrier.runtime.failure;

/** A step ran into a bound of memory. The message is one line with the mend. */
public final class LimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private LimitException(String message) {
        super(message);
    }

    /** The complaint that {@code what} of the program ran out of the heap. */
    public static LimitException heap(String what) {
        return new LimitException(what + " ran out of the Java heap (" + (Runtime.getRuntime().maxMemory() >> 20)
            + " MB): --java-heap gives it more");
    }
}
