package harrier.run;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a check found.
 *
 * @param verdict {@code verified}, {@code violated} or {@code inconclusive}
 * @param document the JSON document of {@code harrier check --json}
 */
public record Verdict(String verdict, Map<String, Object> document) {
    /** Figures of the check, for reports. */
    public Map<String, String> figures() {
        var figures = new LinkedHashMap<String, String>();
        for (String key : new String[] {"scenario", "verdict", "states", "transitions", "depth", "seconds"}) {
            figures.put("harrier." + key, String.valueOf(document.get(key)));
        }
        return figures;
    }

    /** Why the check is inconclusive, else "". */
    public String reason() {
        return String.valueOf(document.get("reason"));
    }

    /** How far the search came, in words: states, transitions and time, and the states of searches that it gave up before. */
    public String extent() {
        var givenUp = document.get("statesGivenUp");
        return "states " + document.get("states") + (givenUp == null ? "" : " (and " + givenUp + " of searches that began anew)")
            + ", transitions " + document.get("transitions")
            + String.format(Locale.ROOT, ", seconds %.2f", Double.parseDouble(String.valueOf(document.get("seconds"))));
    }

    /** Whether a limit ended the check before it had seen all states, or decided all properties of runs. */
    public boolean isLimited() {
        return verdict.equals("inconclusive")
            && (!"true".equals(document.get("complete")) || document.get("undecided") != null);
    }

    /** A text of the violation's, such as {@code trace}, the path of its trace; "" if there is none. */
    public String violation(String key) {
        return document.get("violation") instanceof Map<?, ?> v && v.get(key) instanceof String s ? s : "";
    }
}
