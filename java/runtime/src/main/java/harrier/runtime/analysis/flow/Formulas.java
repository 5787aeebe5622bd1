package harrier.runtime.analysis.flow;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The methods that formulas of temporal logic name. Go's side parses the formulas themselves. */
public final class Formulas {
    private static final Pattern NAME = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");
    private static final Set<String> WORDS = Set.of("true", "false", "U", "W", "R", "G", "F", "X");

    private Formulas() {}

    /** The names in a formula, but for the words of the logic, in their alphabetical order. */
    public static Set<String> names(String formula) {
        return NAME.matcher(formula).results().map(MatchResult::group).filter(n -> !WORDS.contains(n))
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
