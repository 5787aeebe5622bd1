package harrier.runtime;

import harrier.Scenario;
import harrier.runtime.NaiveExplorer.Counts;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Runs the naive explorer from a command line, for bench/peers, which compares its speed. */
final class NaiveRun {
    private NaiveRun() {}

    /**
     * Explores an example and prints a line of figures.
     *
     * @param arguments a program of the examples' folder, its scenario's class, after how many seconds to
     *     end, and values of parameters such as {@code acceptors=4}
     */
    public static void main(String[] arguments) {
        Map<String, Integer> parameters = new TreeMap<>();
        for (int i = 3; i < arguments.length; i++) {
            String[] parameter = arguments[i].split("=");
            parameters.put(parameter[0], Integer.valueOf(parameter[1]));
        }
        Supplier<Scenario> scenarios = Examples.scenarios(arguments[0], arguments[1], parameters);
        long start = System.nanoTime();
        long most = Long.parseLong(arguments[2]) * 1_000_000_000L;
        Counts counts = NaiveExplorer.explore(scenarios, () -> System.nanoTime() - start < most);
        System.out.println("verdict=" + counts.verdict() + " states=" + counts.states() + " transitions="
            + counts.transitions() + " seconds=" + (System.nanoTime() - start) / 1e9);
    }
}
