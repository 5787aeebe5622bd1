package harrier.runtime.failure;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names that are much like one that is not there: at most two edits away, or longer by an ending, whatever their case is. */
public final class Suggestion {
    private static final int MOST_EDITS = 2;

    private Suggestion() {}

    /** "did you mean A or B? It has ", or "it has " if no name is like the wrong one. */
    public static String beforeNames(String wrong, Collection<String> names) {
        String like = names.stream().filter(n -> isLike(wrong.toLowerCase(Locale.ROOT), n.toLowerCase(Locale.ROOT)))
            .collect(Collectors.joining(" or "));
        return like.isEmpty() ? "it has " : "did you mean " + like + "? It has ";
    }

    private static boolean isLike(String wrong, String name) {
        return !wrong.isEmpty() && name.startsWith(wrong) || edits(wrong, name) <= MOST_EDITS;
    }

    /** The Levenshtein distance: how many characters are to be put in, left out or replaced. */
    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
