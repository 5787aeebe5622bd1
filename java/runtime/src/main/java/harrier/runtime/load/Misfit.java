package harrier.runtime.load;

import harrier.runtime.failure.Failure;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.origin.Origin;
import harrier.runtime.rules.Guard;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to say of classes that do not fit each other, such as those of two versions of a library. */
final class Misfit {
    /** Which loader has the classes, which is always the same one. */
    private static final Pattern LOADER = Pattern.compile(" \\([^()]* of loader '" + Origin.LOADER + "' @\\p{XDigit}+\\)");
    private static final Pattern LOCATION = Pattern.compile("Location:\\s+([^\\s(]+)\\(");
    private static final Pattern REASON = Pattern.compile("Reason:\\s+(.+)");
    private static final Pattern NAME = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*([./][\\p{L}_$][\\p{L}\\p{N}_$]*)*");

    private Misfit() {}

    /** The problem, in words that follow those for whose code it is: which class does not fit, where, and which jars the classes are of. */
    static String problem(Throwable error) {
        String text = error instanceof VerifyError ? verifying(error) : linking(error);
        String where = Guard.here().loader() instanceof ProgramLoader loader ? where(text, loader.classes()) : "";
        return "needs classes that do not fit each other: " + text + where;
    }

    /** The method that cannot be verified, and the reason, which the virtual machine says in many lines. */
    private static String verifying(Throwable error) {
        String message = String.valueOf(Failure.message(error));
        Matcher location = LOCATION.matcher(message);
        Matcher reason = REASON.matcher(message);
        return "VerifyError" + (location.find() ? " in " + location.group(1).replace('/', '.') : "") + ": "
            + message.lines().findFirst().orElse("")
            + (reason.find() ? ": " + reason.group(1).replace('/', '.') : "");
    }

    private static String linking(Throwable error) {
        String caller = Arrays.stream(Failure.frames(error)).filter(f -> Origin.LOADER.equals(f.getClassLoaderName())).findFirst()
            .map(f -> " in " + f.getClassName() + "." + f.getMethodName()).orElse("");
        return LOADER.matcher(Failure.describe(error).replaceFirst(":", caller + ":")).replaceAll("");
    }

    /** Where the classes are from that a text names: above all, which of several is taken. */
    private static String where(String text, ProgramClasses classes) {
        List<String> hidden = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (String name : named(text, classes)) {
            List<String> others = classes.hidden(name);
            if (others.isEmpty()) {
                all.add(name + " is " + classes.source(name));
            } else {
                hidden.add(name + " is " + classes.source(name) + ", which hides that of " + String.join(" and ", others));
            }
        }
        if (!hidden.isEmpty()) {
            return "; " + String.join(", ", hidden) + ": name the right one first with --classpath, or take the other away";
        }
        return all.isEmpty() ? "" : "; " + String.join(", ", all) + ": take versions that fit each other";
    }

    /** The classes of the program and its class path that a text names, by themselves or before the name of a member. */
    private static Set<String> named(String text, ProgramClasses classes) {
        Set<String> found = new LinkedHashSet<>();
        Matcher names = NAME.matcher(text);
        while (names.find()) {
            String name = names.group().replace('/', '.');
            while (name.indexOf('.') > 0 && classes.find(name) == null) {
                name = name.substring(0, name.lastIndexOf('.'));
            }
            if (classes.find(name) != null) {
                found.add(name);
            }
        }
        return found;
    }
}
