package harrier.runtime.analysis.flow;

/**
 * A place in the program's sources.
 *
 * @param method what people call the method: {@code Acceptor.on(Prepare)}
 * @param line its line, or 0
 */
public record Site(String method, String file, int line) {
    /** File and line, as in {@code Main.java:41}. */
    public String at() {
        return (file == null ? method : file) + ":" + line;
    }

    /** File and line in brackets, as in a stack trace. */
    public String place() {
        if (file == null) {
            return "";
        }
        return line > 0 ? " (" + file + ":" + line + ")" : " (" + file + ")";
    }

    @Override
    public String toString() {
        return method + place();
    }
}
