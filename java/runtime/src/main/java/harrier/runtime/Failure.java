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
            // The program's frames come first; below them is the runtime, which nobody wants to see.
            if (frame.getClassName().startsWith("harrier.runtime.") || stack.size() == FRAMES) {
                break;
            }
            if (!frame.getClassName().startsWith("harrier.")) {
                stack.add(frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                    + frame.getLineNumber() + ")");
            }
        }
        return new Failure(thrown instanceof AssertionError ? "assertion" : "exception", describe(thrown), stack);
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
