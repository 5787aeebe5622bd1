package harrier.runtime.load.compile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What people call the classes of a program: by their simple names, with as many of the outer classes and packages as
 * tell those apart that share one. No two classes of the program have one label.
 */
public final class ClassLabels {
    /** Of no program. */
    public static final ClassLabels NONE = new ClassLabels(List.of());

    private static final Pattern OUTER = Pattern.compile("\\$(?=\\D)");
    private static final Pattern NUMBER = Pattern.compile("^\\d+");

    private final Set<String> known;
    private final Set<String> simple;
    /** By full name, those that are not simple names. */
    private final Map<String, String> longer = new TreeMap<>();

    /** Labels for classes, named as {@code Class.getName} does. */
    public ClassLabels(Collection<String> names) {
        Map<String, List<String>> sharing = new HashMap<>();
        names.forEach(n -> sharing.computeIfAbsent(candidates(n).get(0), s -> new ArrayList<>()).add(n));
        known = Set.copyOf(names);
        simple = sharing.keySet();
        sharing.values().stream().filter(some -> some.size() > 1).forEach(this::tellApart);
    }

    private void tellApart(List<String> names) {
        Map<String, Integer> uses = new HashMap<>();
        names.forEach(n -> new HashSet<>(candidates(n)).forEach(c -> uses.merge(c, 1, Integer::sum)));
        names.forEach(n -> longer.put(n, candidates(n).stream().filter(c -> uses.get(c) == 1).findFirst().orElse(n)));
    }

    /** The label of a class. One that is not the program's has its simple name, unless the program has one of that name. */
    public String of(String name) {
        String label = longer.get(name);
        if (label == null) {
            label = candidates(name).get(0);
            label = simple.contains(label) && !known.contains(name) ? name : label;
        }
        return label;
    }

    /** The label of a class or an array. */
    public String of(Class<?> type) {
        return type.isArray() ? of(type.getComponentType()) + "[]" : of(type.getName());
    }

    /** The labels of classes that share their simple names, by full name. */
    public Map<String, String> longer() {
        return longer;
    }

    /** What a class could be called, the shortest first. */
    private static List<String> candidates(String name) {
        List<String> found = new ArrayList<>();
        for (int end = name.length(); end > 0;) {
            int at = Math.max(name.lastIndexOf('.', end - 1), name.lastIndexOf('$', end - 1));
            char first = at + 1 < name.length() ? name.charAt(at + 1) : '$';
            String candidate = OUTER.matcher(name.substring(at + 1)).replaceAll(".");
            if (found.isEmpty() && Character.isDigit(first)) {
                candidate = NUMBER.matcher(candidate).replaceFirst(""); // a local class; nothing is left of an anonymous one
            }
            if (first != '$' && !candidate.isEmpty()) {
                found.add(candidate);
            }
            end = at;
        }
        found.add(name);
        return found;
    }
}
