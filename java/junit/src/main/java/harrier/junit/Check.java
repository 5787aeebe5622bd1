package harrier.junit;

import harrier.Scenario;
import harrier.run.ScenarioCheck;
import harrier.run.Settings;
import harrier.run.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;

/** A check of a scenario, with the program on the test's class path. */
public final class Check {
    /** A comma with an even number of double quotes behind it. */
    private static final String OUTSIDE_QUOTES = ",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)";

    private final Class<? extends Scenario> scenario;
    private final Map<String, String> values = new TreeMap<>();
    private final List<String> options = new ArrayList<>();
    private boolean allowInconclusive;
    /** Which check of its sweep is violated, once there is one; null outside of sweeps. */
    private AtomicReference<String> violated;

    Check(Class<? extends Scenario> scenario) {
        this.scenario = scenario;
    }

    /** The checks that an annotation stands for. Those of an element with several values are in a sweep. */
    static List<Check> all(HarrierTest test) {
        var checks = new ArrayList<Check>();
        for (String set : test.set()) {
            var settings = Settings.of(written(set));
            var violated = new AtomicReference<String>();
            for (Map<String, String> values : settings) {
                var check = new Check(test.scenario()).options(test.options());
                check.values.putAll(values);
                check.violated = settings.size() > 1 ? violated : null;
                if (!test.timeout().isEmpty()) {
                    check.timeout(test.timeout());
                }
                check.allowInconclusive = test.allowInconclusive();
                checks.add(check);
            }
        }
        return checks;
    }

    /** The values in a list such as {@code a=5, b=1,2}, each with its name: what has none is one more for the name before. */
    private static List<String> written(String set) {
        var all = new ArrayList<String>();
        for (String part : set.isBlank() ? new String[0] : set.split(OUTSIDE_QUOTES, -1)) {
            if (all.isEmpty() || part.contains("=")) {
                all.add(part.strip());
            } else {
                all.add(all.remove(all.size() - 1) + "," + part.strip());
            }
        }
        return all;
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

    /** Checks, and returns the result. */
    public Verdict run() {
        return check().run();
    }

    /**
     * Checks that the scenario is verified. In a sweep it is skipped if a smaller setting is violated.
     *
     * @throws AssertionError with the counterexample if it is violated, or with the reason if the check is inconclusive
     */
    public Verdict assertVerified() {
        if (violated != null && violated.get() != null) {
            Assumptions.abort(name() + " is not checked, as " + violated.get() + " is violated");
        }
        var verdict = run();
        String problem = check().problem(verdict);
        if (verdict.verdict().equals("violated")) {
            if (violated != null) {
                violated.set(name());
            }
            throw Harrier.failure(problem, verdict.violation("trace"));
        }
        if (problem.isEmpty() || allowInconclusive && verdict.isLimited()) {
            return verdict;
        }
        throw new AssertionError(verdict.isLimited() ? problem + "; allowInconclusive lets it pass" : problem);
    }
}
