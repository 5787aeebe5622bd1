package harrier.host;

/**
 * What rewritten bytecode of programs under check calls instead of methods that a step must not call.
 * It depends on nothing, because it runs in the middle of anybody's code.
 */
public final class Hooks {
    private static final ThreadLocal<Refusal> REFUSED = new ThreadLocal<>();

    private Hooks() {}

    /** Thrown into the program where it did what a step must not do. */
    public static final class Refusal extends Error {
        private static final long serialVersionUID = 1;

        Refusal(String message) {
            super(message);
        }
    }

    /** Stands in for {@link System#exit}. */
    public static void exit(int status) {
        throw refuse("System.exit");
    }

    /** Stands in for {@link Runtime#exit} and {@link Runtime#halt}. */
    public static void exit(Runtime runtime, int status) {
        throw refuse("Runtime.exit");
    }

    /**
     * The refusal since the last call, if any: the program may have caught what was thrown, but what it
     * did stays refused.
     */
    public static Refusal takeRefusal() {
        Refusal refusal = REFUSED.get();
        REFUSED.remove();
        return refusal;
    }

    private static Refusal refuse(String what) {
        StackTraceElement caller = new Throwable().getStackTrace()[2];
        Refusal refusal = new Refusal(simpleName(caller.getClassName()) + "." + caller.getMethodName()
            + " calls " + what + " (" + caller.getFileName() + ":" + caller.getLineNumber() + ")");
        REFUSED.set(refusal);
        return refusal;
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
