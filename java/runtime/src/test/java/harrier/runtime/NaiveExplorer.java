package harrier.runtime;

import harrier.Scenario;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Explores a scenario breadth first in the dumbest way: a state is reached by running a new scenario
 * from its start along the messages that lead there. Nothing is encoded, copied, remembered or shared
 * with the code that this judges.
 */
final class NaiveExplorer {
    private final Supplier<Scenario> scenarios;
    private final Map<String, Integer> distances = new HashMap<>();
    private final Deque<List<String>> frontier = new ArrayDeque<>();
    private int transitions;
    private boolean isGood = true;
    private boolean isGraded = true;

    /**
     * The result of a search.
     *
     * @param depth the largest distance of a state from the initial one
     * @param isGraded whether every path to a state is as long as the shortest, so that the depth is
     *     the same for every order of search
     */
    record Counts(String verdict, int states, int transitions, int depth, boolean isGraded) {}

    private NaiveExplorer(Supplier<Scenario> scenarios) {
        this.scenarios = scenarios;
    }

    /** Explores all of the scenario that {@code scenarios} makes anew each time it is asked. */
    static Counts explore(Supplier<Scenario> scenarios) {
        return explore(scenarios, () -> true);
    }

    /** The same, until {@code keepGoing} is false; then the verdict is "inconclusive" if nothing is wrong so far. */
    static Counts explore(Supplier<Scenario> scenarios, BooleanSupplier keepGoing) {
        NaiveExplorer explorer = new NaiveExplorer(scenarios);
        explorer.reach(List.of());
        while (!explorer.frontier.isEmpty() && keepGoing.getAsBoolean()) {
            explorer.expand(explorer.frontier.removeFirst());
        }
        return explorer.counts();
    }

    private void expand(List<String> path) {
        for (String message : replay(path).enabled()) {
            transitions++;
            List<String> longer = new ArrayList<>(path);
            longer.add(message);
            reach(longer);
        }
    }

    private void reach(List<String> path) {
        LiveWorld world = replay(path);
        Integer distance = distances.putIfAbsent(world.text(), path.size());
        if (distance == null) {
            isGood &= world.isGood();
            frontier.addLast(path);
        } else {
            isGraded &= distance == path.size();
        }
    }

    private LiveWorld replay(List<String> path) {
        LiveWorld world = new LiveWorld(scenarios.get());
        path.forEach(world::deliver);
        return world;
    }

    private Counts counts() {
        int depth = distances.values().stream().max(Integer::compare).orElseThrow();
        return new Counts(verdict(), distances.size(), transitions, depth, isGraded);
    }

    private String verdict() {
        if (!isGood) {
            return "violated";
        }
        return frontier.isEmpty() ? "verified" : "inconclusive";
    }
}
