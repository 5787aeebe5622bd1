package harrier.runtime.property;

import harrier.runtime.failure.UsageException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which of the properties that a scenario declares are asked: all, or those that {@code --property} names. */
final class Asked {
    private final List<String> names;
    private final Set<String> unknown;
    /** Those that there are. */
    private final Set<String> declared = new TreeSet<>();

    /** By the texts of properties or the names of their methods; all if there are none. */
    Asked(List<String> names) {
        this.names = names;
        unknown = new TreeSet<>(names);
    }

    /** Reports whether a property that the scenario declares is asked. */
    boolean has(String name, String method) {
        declared.add(name);
        unknown.remove(name);
        unknown.remove(method);
        return names.isEmpty() || names.contains(name) || names.contains(method);
    }

    /**
     * To be called when the scenario's properties are known.
     *
     * @throws UsageException if it has none of a name
     */
    void refuseUnknown(String scenario) {
        if (!unknown.isEmpty()) {
            throw new UsageException("--property: " + scenario + " has no property \"" + unknown.iterator().next() + "\"; it has "
                + (declared.isEmpty() ? "none" : declared.stream().map(n -> '"' + n + '"').collect(Collectors.joining(", "))));
        }
    }
}
