package harrier.run;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A check of one scenario.
 *
 * @param program the folder or jar that has it
 * @param libraries what else its class path has
 * @param scenario its class's name
 * @param values those of its parameters that are set
 * @param options others of {@code harrier check}
 * @param results the folder for traces
 */
public record ScenarioCheck(String program, Collection<String> libraries, String scenario, Map<String, String> values,
        List<String> options, Path results) {

    /** The scenario with the values of its parameters. */
    public String name() {
        return scenario.substring(Math.max(scenario.lastIndexOf('.'), scenario.lastIndexOf('$')) + 1) + (values.isEmpty() ? "" : " " + values);
    }

    /**
     * Checks.
     *
     * @throws IllegalStateException with what harrier says if there is no verdict
     */
    public Verdict run() {
        var command = new ArrayList<>(List.of("check", program, "--scenario", scenario, "--json", "--html", "--out", results.toString()));
        values.forEach((name, value) -> command.addAll(List.of("--set", name + "=" + Settings.value(value))));
        command.addAll(options);
        if (!libraries.isEmpty()) {
            command.addAll(List.of("--classpath", String.join(File.pathSeparator, libraries)));
        }
        var run = Binary.run(command);
        run.require(0, 1, 3);
        var document = Json.object(run.out(), "what harrier printed");
        return new Verdict(String.valueOf(document.get("verdict")), document);
    }

    /**
     * The problem that a verdict tells of, for people: the counterexample, where its trace and picture are, and the command that replays
     * it; or why the check is inconclusive, and how far it came; "" if the scenario is verified.
     */
    public String problem(Verdict verdict) {
        return switch (verdict.verdict()) {
            case "verified" -> "";
            case "violated" -> violated(verdict);
            default -> name() + " is inconclusive: " + verdict.reason() + "; " + verdict.extent();
        };
    }

    private String violated(Verdict verdict) {
        var trace = verdict.violation("trace");
        var text = name() + ": " + verdict.violation("message") + "\n\n";
        if (trace.isEmpty()) {
            return text + "the trace could not be written: " + verdict.document().get("remarks");
        }
        text += Binary.run(List.of("show", trace)).out();
        text += "trace:      " + Path.of(trace).toAbsolutePath() + "\n";
        text += "replay it:  " + verdict.violation("replay") + "\n";
        if (!verdict.violation("picture").isEmpty()) {
            text += "picture:    " + Path.of(verdict.violation("picture")).toUri() + "\n";
        }
        return text;
    }
}
