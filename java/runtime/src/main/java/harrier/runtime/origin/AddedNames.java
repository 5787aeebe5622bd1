package harrier.runtime.origin;

/** The names of the classes and methods that rewriting adds to a program ({@code harrier.runtime.load.rewrite.Rewriting}). */
public final class AddedNames {
    /** In the names of the classes of lambdas. */
    public static final String CLASS_MARK = "_lambda";
    /** In the names of methods that only lead to others. */
    public static final String METHOD_MARK = "$ref";
    /** How the fields of the classes of lambdas begin that hold what these capture; a number follows. */
    public static final String CAPTURED = "captured";
    private static final String ASKING = "harrier$";

    private AddedNames() {}

    /** The method with a number of those that a class gets to ask before a call. */
    public static String asking(int number) {
        return ASKING + number;
    }

    /** Reports whether a method is one that asks before a call. */
    public static boolean isAsking(String method) {
        return method.startsWith(ASKING);
    }

    /** The class whose lambda has a class with this name; null if that is no lambda's name. */
    public static String hostOf(String className) {
        int mark = className.lastIndexOf(CLASS_MARK);
        int end = mark < 0 ? -1 : className.lastIndexOf('$', mark);
        return end <= 0 ? null : className.substring(0, end);
    }

    /**
     * Reports whether a frame is of no interest to people: its method was added, and only leads to code of the program
     * or of the JDK.
     */
    public static boolean isPlumbing(StackTraceElement frame) {
        return isAsking(frame.getMethodName()) || frame.getLineNumber() < 0
            && (hostOf(frame.getClassName()) != null || frame.getMethodName().contains(METHOD_MARK));
    }
}
