package harrier.runtime.rules;

import harrier.runtime.failure.Failure;
import harrier.runtime.origin.AddedNames;
import harrier.runtime.origin.Origin;
import java.lang.StackWalker.StackFrame;
import java.util.Arrays;
import java.util.stream.Stream;

/** Who runs, by the stack of the thread. */
final class Stack {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private Stack() {}

    /** Whether an initializer of a class of the program runs. */
    static boolean isInitializing() {
        return WALKER.walk(frames -> frames.anyMatch(Stack::isInitializer));
    }

    private static boolean isInitializer(StackFrame frame) {
        return frame.getMethodName().equals("<clinit>") && !Origin.isInternal(frame.getClassName());
    }

    /** What to do about an initializer that runs during a step: of those that do, the outermost is the one to have run before. */
    static String inTime() {
        return Statics.inTime(WALKER.walk(frames -> frames.filter(Stack::isInitializer).map(StackFrame::getClassName)
            .reduce("the class", (inner, outer) -> outer)));
    }

    /** The class whose code asks. */
    static String caller() {
        return WALKER.walk(frames -> frames.map(StackFrame::getClassName).filter(c -> !Origin.isInternal(c)).findFirst()
            .orElse(""));
    }

    /** The class of the innermost code of the program. */
    static String program() {
        return WALKER.walk(frames -> frames.filter(f -> Origin.isPrograms(f.getDeclaringClass())).findFirst()
            .map(StackFrame::getClassName).orElse(""));
    }

    /** Where the innermost code of the program is. */
    static String place() {
        return WALKER.walk(frames -> place(frames.filter(f -> Origin.isPrograms(f.getDeclaringClass()))
            .map(StackFrame::toStackTraceElement)));
    }

    /** Where the innermost code of the program is that some calls led to. */
    static String place(Throwable calls) {
        return place(Arrays.stream(calls.getStackTrace()).filter(f -> Guard.LOADER.equals(f.getClassLoaderName())));
    }

    private static String place(Stream<StackTraceElement> program) {
        return program.filter(f -> f.getLineNumber() >= 0 && !AddedNames.isAsking(f.getMethodName())).findFirst()
            .map(f -> Failure.method(f.getClassName(), f.getMethodName()) + " (" + f.getFileName() + ":" + f.getLineNumber() + ")")
            .orElse("the program (unknown source)");
    }

    /** What the code at a place does: {@code Node.on calls System.exit (Node.java:7)}. */
    static String say(String place, String what) {
        int line = place.indexOf(" (");
        return place.substring(0, line) + " " + what + place.substring(line);
    }
}
