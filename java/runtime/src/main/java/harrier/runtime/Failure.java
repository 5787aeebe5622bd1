package harrier.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * How a handler or a property failed.
 *
 * @param kind "assertion" or "exception"
 * @param text what was thrown, in one line
 * @param stack the frames of the program's own code, innermost first
 */
public record Failure(String kind, String text, List<String> stack) {
    private static final int FRAMES = 8;

    /** Describes what {@code thrown} by code that was loaded by {@code users}. */
    public static Failure of(Throwable thrown) {
        List<String> stack = new ArrayList<>();
        for (StackTraceElement frame : thrown.getStackTrace()) {
            // Above the program's frames may be what they called of the runtime, and below them is what
            // called them, which nobody wants to see.
            if (isCaller(frame.getClassName()) && !stack.isEmpty() || stack.size() == FRAMES) {
                break;
            }
            if (!isPlumbing(frame.getClassName())) {
                stack.add(frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                    + frame.getLineNumber() + ")");
            }
        }
        return new Failure(thrown instanceof AssertionError ? "assertion" : "exception", describe(thrown), stack);
    }

    private static boolean isPlumbing(String className) {
        return className.startsWith("harrier.") || className.startsWith("jdk.internal.reflect.")
            || className.startsWith("java.lang.reflect.");
    }

    /** The runtime, except for the creation of actors, in whose middle the program runs again. */
    private static boolean isCaller(String className) {
        return className.startsWith("harrier.runtime.") && !className.startsWith("harrier.runtime.step.Effects")
            && !className.startsWith("harrier.runtime.LoadedProgram$");
    }

    /** What was thrown, in one line: its class and the first line of its message. */
    public static String describe(Throwable thrown) {
        String name = thrown.getClass().getSimpleName();
        String message = thrown.getMessage();
        return message == null ? name : name + ": " + message.lines().findFirst().orElse("");
    }

    /** Whether two executions failed alike. Where a stack overflows differs from run to run. */
    public boolean sameAs(Failure other) {
        return other != null && kind.equals(other.kind) && text.equals(other.text);
    }
}
