package harrier.runtime.load;

import harrier.runtime.failure.Failure;
import harrier.runtime.failure.UsageException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to say of a class that running code needs and does not get. */
public final class NeededClass {
    /** Of the second use of such a class, and of its cause, which describes how the first one failed. */
    private static final Pattern FAILED = Pattern.compile("Could not initialize class (\\S+)");
    private static final Pattern FIRST = Pattern.compile("Exception (.*) \\[in thread .*\\]");
    /** The program's own classes may have a getCause that gives ever more. */
    private static final int MOST_CAUSES = 100;
    private static final String INITIALIZER = ".<clinit>(";
    private static final Pattern NAME = Pattern.compile("[^\\s(]+");

    private NeededClass() {}

    /** The problem, in words that follow those for whose code it is. */
    public static String problem(LinkageError e) {
        String message = Failure.message(e);
        if (e instanceof UnsatisfiedLinkError) {
            return "needs native code that is not loaded (" + message + "): leave it out of what is checked, or hand"
                + " the actor a stand-in in Java";
        }
        if (e instanceof ExceptionInInitializerError) {
            Throwable cause = rootCause(e);
            return "needs " + initialized(cause) + ", whose static initializer failed: " + Failure.describe(cause) + Failure.denied(cause);
        }
        if (!(e instanceof NoClassDefFoundError) || message == null) {
            return Misfit.problem(rootCause(e));
        }
        Matcher failed = FAILED.matcher(message);
        if (failed.matches()) {
            Throwable cause = rootCause(e);
            Matcher first = FIRST.matcher(String.valueOf(Failure.message(cause)));
            return "needs the class " + failed.group(1) + ", whose static initializer failed"
                + (cause == e ? "" : ": " + (first.matches() ? first.group(1) : Failure.describe(cause)));
        }
        if (NAME.matcher(message).matches()) {
            return "needs the class " + message.replace('/', '.')
                + ", which is missing: name its jar or folder with --classpath";
        }
        return "needs a class that cannot be used: " + message;
    }

    /** The class in whose static initializer something was thrown. */
    private static String initialized(Throwable thrown) {
        return Failure.stack(thrown).stream().filter(frame -> frame.contains(INITIALIZER)).findFirst()
            .map(frame -> "the class " + frame.substring(0, frame.indexOf(INITIALIZER))).orElse("a class");
    }

    /** The complaint that a class cannot be loaded, with the reason. */
    public static UsageException unloadable(String what, Throwable why) {
        return new UsageException(what + " " + (why instanceof NoClassDefFoundError e ? problem(e)
            : "cannot be loaded: " + Failure.describe(why)));
    }

    /** What came first. */
    public static Throwable rootCause(Throwable thrown) {
        Throwable root = thrown;
        for (int depth = 0; depth < MOST_CAUSES; depth++) {
            Throwable cause = Failure.causeOf(root);
            if (cause == null) {
                break;
            }
            root = cause;
        }
        return root;
    }
}
