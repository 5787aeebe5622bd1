package harrier.runtime.failure;

/** The program ran into a bound of memory or time. The message is one line with the mend. */
public final class LimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private LimitException(String message) {
        super(message);
    }

    /** The complaint that {@code what} of the program did not return, as a failure says. */
    public static LimitException hang(String what, Failure failure) {
        return new LimitException(what + " " + failure.text() + (failure.stack().isEmpty() ? "" : ", it is at " + failure.stack().get(0)));
    }

    /** The complaint that {@code what} of the program ran out of the heap. */
    public static LimitException heap(String what) {
        return new LimitException(what + " ran out of the Java heap (" + (Runtime.getRuntime().maxMemory() >> 20)
            + " MB): --java-heap gives it more");
    }
}
