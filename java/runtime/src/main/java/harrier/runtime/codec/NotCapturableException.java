package harrier.runtime.codec;

/** Says that a state or a message cannot be captured: where, what it is, and what to do about it. */
public final class NotCapturableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotCapturableException(String path, String type, String mend) {
        this(sentence(path, type, mend));
    }

    NotCapturableException(String message) {
        super(message);
    }

    /** The complaint about an object that two actors reach. */
    static NotCapturableException shared(String actor, String path, String other, String otherPath, Class<?> type) {
        return new NotCapturableException("field " + path + " of " + actor + " holds the same " + type.getTypeName()
            + " as field " + otherPath + " of " + other
            + ": actors must not share what can change; give each its own, or one that cannot change");
    }

    private static String sentence(String path, String type, String mend) {
        String where = path.isEmpty()
            ? "the value is "
            : (path.startsWith("[") ? "element " : "field ") + path + " holds ";
        String article = "aeiouAEIOU".indexOf(type.charAt(0)) >= 0 ? "an " : "a ";
        return where + article + type + ", which cannot be captured: " + mend;
    }
}
