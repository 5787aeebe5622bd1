package harrier.runtime.failure;

/** The names of classes and methods that lambdas are rewritten to ({@code harrier.runtime.load.LambdaRewrite}). */
public final class LambdaNames {
    /** In the names of classes. */
    public static final String CLASS_MARK = "_lambda";
    /** In the names of methods that only lead to others. */
    public static final String METHOD_MARK = "$ref";

    private LambdaNames() {}

    /** The class whose lambda has a class with this name; null if that is no lambda's name. */
    public static String hostOf(String className) {
        int mark = className.lastIndexOf(CLASS_MARK);
        int end = mark < 0 ? -1 : className.lastIndexOf('$', mark);
        return end <= 0 ? null : className.substring(0, end);
    }

    /** Whether nobody wants to see a frame, since it only leads from a lambda's caller to its body. */
    static boolean isPlumbing(StackTraceElement frame) {
        return frame.getLineNumber() < 0
            && (hostOf(frame.getClassName()) != null || frame.getMethodName().contains(METHOD_MARK));
    }
}
