package harrier.runtime.codec;

import harrier.runtime.origin.Origin;
import java.util.List;

/**
 * Libraries that log. What they keep and look at says nothing of the program: nothing is explored of it, compared or
 * captured, unless they are what is checked.
 */
public final class Loggers {
    private static final List<String> PACKAGES = List.of("org.slf4j.", "org.apache.logging.", "org.apache.log4j.",
        "org.apache.commons.logging.", "ch.qos.logback.", "org.jboss.logging.", "org.jboss.logmanager.");

    private Loggers() {}

    /** Whether a class, by its binary name, is of such a library. */
    public static boolean has(String type) {
        return PACKAGES.stream().anyMatch(type::startsWith);
    }

    /** Whether of objects of a class only the name is written, as they are loggers. */
    public static boolean areNamed(Class<?> type) {
        return (has(type.getName()) || Origin.isJdks(type)) && LoggerPlan.isOne(type);
    }
}
