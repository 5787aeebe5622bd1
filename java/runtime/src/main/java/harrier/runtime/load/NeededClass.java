package harrier.runtime.load;

import harrier.runtime.Failure;
import harrier.runtime.UsageException;
import java.util.regex.Pattern;

/** What to say of a class that running code needs and does not get. */
public final class NeededClass {
    private static final Pattern NAME = Pattern.compile("[^\\s(]+");

    private NeededClass() {}

    /** What is wrong, in words that follow those for whose code it is. */
    public static String problem(LinkageError e) {
        String message = e.getMessage();
        if (e instanceof UnsatisfiedLinkError) {
            return "needs native code that is not loaded (" + message + "): leave it out of what is checked, or hand"
                + " the actor a stand-in in Java";
        }
        if (!(e instanceof NoClassDefFoundError) || message == null) {
            return "needs a class that cannot be loaded: " + Failure.describe(rootCause(e));
        }
        if (NAME.matcher(message).matches()) {
            return "needs the class " + message.replace('/', '.')
                + ", which is missing: name its jar or folder with --classpath";
        }
        return "needs a class that cannot be used: " + message;
    }

    /** That a class cannot be loaded, and why. */
    public static UsageException unloadable(String what, Throwable why) {
        return new UsageException(what + " " + (why instanceof NoClassDefFoundError e ? problem(e)
            : "cannot be loaded: " + Failure.describe(why)));
    }

    private static Throwable rootCause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
