package harrier.runtime.codec;

/** Says that a state or a message cannot be captured: where, what it is, and what to do about it. */
public final class NotCapturableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String path;
    private final String type;
    private final String mend;

    NotCapturableException(String path, String type, String mend) {
        super(sentence(path, type, mend));
        this.path = path;
        this.type = type;
        this.mend = mend;
    }

    /** The fields that lead there from the outermost value, such as {@code queue[3].thread}; empty for that value. */
    public String path() {
        return path;
    }

    /** The name of the class that cannot be captured. */
    public String type() {
        return type;
    }

    /** What to do about it. */
    public String mend() {
        return mend;
    }

    private static String sentence(String path, String type, String mend) {
        String where = path.isEmpty()
            ? "the value is "
            : (path.startsWith("[") ? "element " : "field ") + path + " holds ";
        String article = "aeiouAEIOU".indexOf(type.charAt(0)) >= 0 ? "an " : "a ";
        return where + article + type + ", which cannot be captured: " + mend;
    }
}
