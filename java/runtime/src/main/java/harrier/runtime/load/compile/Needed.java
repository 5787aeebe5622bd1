package harrier.runtime.load.compile;

import harrier.runtime.failure.UsageException;
import harrier.runtime.origin.Loggers;
import harrier.runtime.origin.Origin;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Adds to a program those classes of a class path that its code refers to, and so on. The facts of a program before
 * it runs, such as which fields matter, follow from these: of a large library, a program needs little.
 *
 * @param classes the classes found so far, by name
 */
record Needed(ClassPath path, Map<String, byte[]> classes) {
    void add() {
        Deque<String> open = new ArrayDeque<>(classes.keySet());
        boolean byName = false;
        Set<String> packages = Origin.jdkPackages().collect(Collectors.toSet());
        while (!open.isEmpty()) {
            String from = open.pop();
            byte[] next = classes.get(from);
            String where = "the class file of " + from;
            byName = byName || ClassFile.findsByName(next, where);
            for (String name : ClassFile.references(next, where)) {
                if (!classes.containsKey(name) && !isLeftOut(name, packages)) {
                    byte[] found = path.find(name);
                    if (found != null) {
                        classes.put(name, found);
                        open.push(name);
                    }
                }
            }
        }
        if (byName) {
            addRest(packages);
        }
    }

    /** Code that finds classes by name may find any. */
    private void addRest(Set<String> packages) {
        for (String name : path.all()) {
            if (!classes.containsKey(name) && !isLeftOut(name, packages)) {
                try {
                    classes.put(name, path.find(name));
                } catch (UsageException e) {
                    continue; // nor can it be loaded, and nothing refers to it
                }
            }
        }
    }

    /**
     * Reports whether a class is not looked into: it comes from harrier's API or the JDK, whatever the class path has,
     * or logs.
     */
    private static boolean isLeftOut(String name, Set<String> packages) {
        return Origin.isApi(name) || Loggers.has(name)
            || packages.contains(Origin.packageOf(name)) && Origin.hasJdkClass(name);
    }
}
