package harrier.runtime.load.rewrite;

import harrier.runtime.failure.Failure;

/** Where code is, for people: {@code Node.on (Node.java:12)}. */
public final class Place {
    private final String method;
    private final String file;
    private int line = -1;

    /**
     * In a method.
     *
     * @param type the internal name of its class
     * @param method its name; that of a lambda's method follows from the method it stands in
     * @param file the source file, null if the class file has none
     */
    Place(String type, String method, String file) {
        this.method = Failure.method(type.replace('/', '.'), method);
        this.file = file == null ? "unknown source" : file;
    }

    void line(int newLine) {
        line = newLine;
    }

    int line() {
        return line;
    }

    @Override
    public String toString() {
        return method + " (" + file + (line < 0 ? "" : ":" + line) + ")";
    }
}
