package harrier.runtime.codec.graph;

/** Thrown if a state or a message cannot be captured: the path, the object, and how to mend it. */
public final class NotCapturableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean isShared;
    private final boolean isOfThreads;

    NotCapturableException(String path, String type, String mend, boolean isOfThreads) {
        this(sentence(path, type, mend), false, isOfThreads);
    }

    NotCapturableException(String message) {
        this(message, false);
    }

    /**
     * A complaint.
     *
     * @param isShared whether it names both actors of which it is
     */
    NotCapturableException(String message, boolean isShared) {
        this(message, isShared, false);
    }

    private NotCapturableException(String message, boolean isShared, boolean isOfThreads) {
        super(message);
        this.isShared = isShared;
        this.isOfThreads = isOfThreads;
    }

    /** Reports whether it is of a thread or an executor of the JDK's. */
    public boolean isOfThreads() {
        return isOfThreads;
    }

    /** Reports whether it is of what two actors share, and names both. */
    public boolean isShared() {
        return isShared;
    }

    /** The same, with whose part of a step it is, unless that is there already. */
    public NotCapturableException of(String part) {
        return isShared ? this : new NotCapturableException(part + ": " + getMessage(), false, isOfThreads);
    }

    /**
     * The complaint about an actor that was captured before all was done to it.
     *
     * @param how what happened to it, such as {@code was changed}
     */
    public static NotCapturableException late(String actor, String how) {
        return new NotCapturableException(actor + " " + how + " after it was created, which would not count: an actor is"
            + " captured when create returns; do it before that, in its start(), or send it a message");
    }

    private static String sentence(String path, String type, String mend) {
        String where = path.isEmpty()
            ? "the value is "
            : (path.startsWith("[") ? "element " : "field ") + path + " holds ";
        String article = "aeiouAEIOU".indexOf(type.charAt(0)) >= 0 ? "an " : "a ";
        return where + article + type + ", which cannot be captured: " + mend;
    }
}
