package harrier.host;

/** Throws checked exceptions of a program's code where none are declared. */
public final class Thrown {
    private Thrown() {}

    /** Throws a throwable as it is. It never returns: what it would return lets callers write {@code throw}. */
    public static RuntimeException asItIs(Throwable thrown) {
        throw Thrown.<RuntimeException>unchecked(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
