package harrier.runtime.rules.refuse;

import harrier.runtime.origin.Loggers;
import java.util.Set;

/**
 * Which classes are the program's own, and which are of libraries.
 *
 * @param names the binary names of the program's own classes
 */
public record OwnClasses(Set<String> names) {
    public boolean has(String name) {
        return names.contains(name);
    }

    /** Reports whether a class is of a library that logs. */
    public boolean isLogger(String name) {
        return Loggers.has(name) && !names.contains(name);
    }
}
