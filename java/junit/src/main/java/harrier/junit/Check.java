package harrier.junit;

import harrier.Scenario;
import harrier.run.ScenarioCheck;
import harrier.run.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A check of a scenario, with the program on the test's class path. */
public final class Check {
    private final Class<? extends Scenario> scenario;
    private final Map<String, String> values = new TreeMap<>();
    private final List<String> options = new ArrayList<>();
    private boolean allowInconclusive;

    Check(Class<? extends Scenario> scenario) {
        this.scenario = scenario;
    }

    /** The checks that an annotation stands for. */
    static List<Check> all(HarrierTest test) {
        var checks = new ArrayList<Check>();
        for (String set : test.set()) {
            var check = new Check(test.scenario()).options(test.options());
            for (String value : set.isBlank() ? new String[0] : set.split(",")) {
                int equals = value.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("set = \"" + set + "\": write name=value, such as acceptors=5");
                }
                check.set(value.substring(0, equals).strip(), value.substring(equals + 1).strip());
            }
            if (!test.timeout().isEmpty()) {
                check.timeout(test.timeout());
            }
            check.allowInconclusive = test.allowInconclusive();
            checks.add(check);
        }
        return checks;
    }

    /** Gives a parameter of the scenario a value. */
    public Check set(String parameter, Object value) {
        values.put(parameter, String.valueOf(value));
        return this;
    }

    /** Ends the check after this long, such as {@code 60s} or {@code 10m}; it is inconclusive then. */
    public Check timeout(String time) {
        return options("--timeout", time);
    }

    /** Adds options of {@code harrier check}, such as {@code "--search", "bfs"}. */
    public Check options(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Has a check pass that reaches a limit before it has seen all states. */
    public Check allowInconclusive() {
        allowInconclusive = true;
        return this;
    }

    private ScenarioCheck check() {
        var path = ClassPath.of(scenario);
        return new ScenarioCheck(path.program(), path.libraries(), scenario.getName(), values, options, path.results());
    }

    /** The scenario with the values of its parameters. */
    String name() {
        return check().name();
    }

    /** Checks, and gives what came of it. */
    public Verdict run() {
        return check().run();
    }

    /**
     * Checks that the scenario is verified.
     *
     * @throws AssertionError with the counterexample if it is violated, or with the reason if the check is inconclusive
     */
    public Verdict assertVerified() {
        var verdict = run();
        String problem = check().problem(verdict);
        if (verdict.verdict().equals("violated")) {
            throw Harrier.failure(problem, verdict.violation("trace"));
        }
        if (problem.isEmpty() || allowInconclusive && verdict.isLimited()) {
            return verdict;
        }
        throw new AssertionError(verdict.isLimited() ? problem + "; allowInconclusive lets it pass" : problem);
    }
}
