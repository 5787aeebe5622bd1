package harrier.runtime.program;

import harrier.runtime.recheck.Recheck;
import harrier.runtime.rules.allow.Rules;
import java.util.List;
import java.util.Map;

/**
 * The settings of a check that say how a program is run. Go's side has them in bridge.Source.
 *
 * @param recheck which steps are executed twice and compared
 * @param output whether what the program prints is shown
 * @param rules which rules are relaxed
 * @param honest whether Byzantine actors are as they would be without being declared so
 * @param show the methods that give the texts of objects, each as {@code CLASS=METHOD}, or {@code PACKAGE=} for objects that are not shown
 * @param properties the properties that are asked, by their texts or the names of their methods; all if there are none
 * @param preempts whether threads are interleaved at locks and at accesses to what they share, too, not only where they wait
 * @param footprints whether the analysis finds the footprints of handlers, for static partial-order reduction
 */
public record Options(Recheck recheck, boolean output, Rules rules, boolean honest, List<String> show, List<String> properties,
        boolean preempts, boolean footprints) {
    /** All steps are executed twice, nothing is shown, and all rules hold. */
    public static final Options STANDARD = new Options(Recheck.ALL, false, Rules.STRICT);

    /** Settings of a program as it is. */
    public Options(Recheck recheck, boolean output, Rules rules) {
        this(recheck, output, rules, false, List.of(), List.of(), false, false);
    }

    /** The same, but that nothing is executed twice. */
    public Options once() {
        return new Options(Recheck.NONE, output, rules, honest, show, properties, preempts, footprints);
    }

    /** The same for a program of which libraries start threads. */
    public Options withThreads() {
        return new Options(recheck, output, rules.withThreads(), honest, show, properties, preempts, footprints);
    }

    /** The settings by their names. */
    public static Options of(Map<String, String> values) {
        Rules rules = Rules.parse("--allow", values.getOrDefault("allow", "").lines().toList());
        Rules traced = Rules.parse("the trace relaxes", values.getOrDefault("traced", "").lines().toList());
        return new Options(Recheck.of(values.getOrDefault("recheck", "all")),
            Boolean.parseBoolean(values.get("output")), rules.or(traced.granted("the trace relaxes", rules)),
            Boolean.parseBoolean(values.get("honest")), values.getOrDefault("show", "").lines().toList(),
            values.getOrDefault("property", "").lines().toList(), "locks".equals(values.get("threads")), Boolean.parseBoolean(values.get("footprints")));
    }
}
