package harrier.runtime.load;

/** Where code is, for people: {@code Node.on (Node.java:12)}. */
final class Place {
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
        String plain = method;
        if (plain.startsWith("lambda$") && plain.lastIndexOf('$') > "lambda$".length()) {
            plain = plain.substring("lambda$".length(), plain.lastIndexOf('$'));
        }
        String readable = switch (plain) {
            case "<init>", "new" -> "the constructor";
            case "<clinit>", "static" -> "the static initializer";
            default -> plain;
        };
        this.method = type.substring(type.lastIndexOf('/') + 1).replace('$', '.') + "." + readable;
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
