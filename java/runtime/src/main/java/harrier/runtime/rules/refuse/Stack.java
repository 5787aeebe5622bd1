package harrier.runtime.rules.refuse;

import harrier.runtime.failure.Failure;
import harrier.runtime.origin.AddedNames;
import harrier.runtime.origin.Origin;
import java.lang.StackWalker.StackFrame;
import java.util.Arrays;
import java.util.stream.Stream;

/** Who runs, by the stack of the thread. */
public final class Stack {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private Stack() {}

    /** Reports whether an initializer of a class of the program runs. */
    public static boolean isInitializing() {
        return WALKER.walk(frames -> frames.anyMatch(Stack::isInitializer));
    }

    private static boolean isInitializer(StackFrame frame) {
        return frame.getMethodName().equals("<clinit>") && !Origin.isInternal(frame.getClassName());
    }

    /** What to do about an initializer that runs during a step: of those that do, the outermost is the one to have run before. */
    public static String inTime() {
        return inTime(WALKER.walk(frames -> frames.filter(Stack::isInitializer).map(StackFrame::getClassName)
            .reduce("the class", (inner, outer) -> outer)));
    }

    /** What to do about a class that is initialized during a step. */
    public static String inTime(String type) {
        return ": refer to " + type + " in the set-up, so that it is initialized before any step runs";
    }

    private static boolean isPrograms(StackFrame frame) {
        return Origin.isPrograms(frame.getDeclaringClass()) && !Origin.isLeaving(frame.getClassName());
    }

    /** The class whose code asks. */
    public static String caller() {
        return WALKER.walk(frames -> frames.map(StackFrame::getClassName).filter(c -> !Origin.isInternal(c)).findFirst()
            .orElse(""));
    }

    /** The class of the innermost code of the program. */
    public static String program() {
        return WALKER.walk(frames -> frames.filter(Stack::isPrograms).findFirst()
            .map(StackFrame::getClassName).orElse(""));
    }

    /** Where the innermost code of the program is. */
    public static String place() {
        return WALKER.walk(frames -> place(frames.filter(Stack::isPrograms)
            .map(StackFrame::toStackTraceElement)));
    }

    /** Where the innermost code of the program is that some calls led to. */
    public static String place(Throwable calls) {
        return place(Arrays.stream(calls.getStackTrace()).filter(f -> Origin.LOADER.equals(f.getClassLoaderName())));
    }

    private static String place(Stream<StackTraceElement> program) {
        return program.filter(f -> f.getLineNumber() >= 0 && !AddedNames.isAsking(f.getMethodName())).findFirst()
            .map(f -> Failure.method(f.getClassName(), f.getMethodName()) + " (" + f.getFileName() + ":" + f.getLineNumber() + ")")
            .orElse("the program (unknown source)");
    }

    /** What the code at a place does: {@code Node.on calls System.exit (Node.java:7)}. */
    public static String say(String place, String what) {
        int line = place.indexOf(" (");
        return place.substring(0, line) + " " + what + place.substring(line);
    }
}
