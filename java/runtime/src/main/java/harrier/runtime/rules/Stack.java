package harrier.runtime.rules;

import java.lang.StackWalker.StackFrame;

/** Who runs, as the stack of the thread tells. */
final class Stack {
    private static final StackWalker WALKER = StackWalker.getInstance();

    private Stack() {}

    /** Whether an initializer of a class of the program runs. */
    static boolean isInitializing() {
        return WALKER.walk(frames -> frames.anyMatch(f -> f.getMethodName().equals("<clinit>")
            && !isOurs(f.getClassName())));
    }

    /** The class whose code asks. */
    static String caller() {
        return WALKER.walk(frames -> frames.map(StackFrame::getClassName).filter(c -> !isOurs(c)).findFirst()
            .orElse(""));
    }

    private static boolean isOurs(String type) {
        return type.startsWith("harrier.host.") || type.startsWith("harrier.runtime.");
    }

    /** What the code at a place does: {@code Node.on calls System.exit (Node.java:7)}. */
    static String say(String place, String what) {
        int line = place.indexOf(" (");
        return place.substring(0, line) + " " + what + place.substring(line);
    }
}
