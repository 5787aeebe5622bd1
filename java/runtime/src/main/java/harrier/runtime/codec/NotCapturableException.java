package harrier.runtime.codec;

/** Says that a state or a message cannot be captured: where, what it is, and what to do about it. */
public final class NotCapturableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotCapturableException(String path, String type, String mend) {
        super(sentence(path, type, mend));
    }

    private static String sentence(String path, String type, String mend) {
        String where = path.isEmpty()
            ? "the value is "
            : (path.startsWith("[") ? "element " : "field ") + path + " holds ";
        String article = "aeiouAEIOU".indexOf(type.charAt(0)) >= 0 ? "an " : "a ";
        return where + article + type + ", which cannot be captured: " + mend;
    }
}
