package harrier.runtime.load.compile;

import java.util.List;
import java.util.regex.Pattern;

/** What javac complains about in sources that are written for a newer Java than its own. */
final class NewerJava {
    /**
     * A feature of the language or of the library.
     *
     * @param since the version of Java that has it, not as a preview
     * @param complaint what a line of javac's messages has, which quote the source
     */
    private record Feature(String name, int since, Pattern complaint) {}

    private static final List<Feature> FEATURES = List.of(
        of("patterns in switch", 21, "patterns in switch statements are a preview feature|\\bcase (null\\b|[A-Z][\\w.]* \\w+ *(->|when\\b))"),
        of("record patterns", 21, "\\b(case|instanceof) +[A-Z][\\w.]*(<[^>]*>)? *\\("),
        of("sequenced collections", 21, "symbol: +method (addFirst|addLast|getFirst|getLast|removeFirst|removeLast|reversed)\\("),
        of("unnamed variables", 22, "'_' is a keyword"),
        of("imports of modules", 25, "^ *import module "));

    private NewerJava() {}

    private static Feature of(String name, int since, String complaint) {
        return new Feature(name, since, Pattern.compile(complaint));
    }

    /** That messages of the javac of some version are about what a newer Java has, and the mend; empty if they are not. */
    static String hint(List<String> messages, int here) {
        return FEATURES.stream().filter(f -> f.since > here && messages.stream().anyMatch(f.complaint.asPredicate())).findFirst()
            .map(f -> ", as " + f.name + " need Java " + f.since + " and the compiler is that of Java " + here
                + ": name a newer JDK with --java-home, or write it without")
            .orElse("");
    }
}
