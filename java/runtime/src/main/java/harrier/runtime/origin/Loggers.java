package harrier.runtime.origin;

import java.util.List;
import java.util.Set;

/**
 * Libraries that log. What they keep and look at says nothing of the program: nothing is explored of it, compared or
 * captured, unless they are the program under check.
 */
public final class Loggers {
    /** Their packages, each with those below it. Packages beside them may be anybody's, and are libraries like others. */
    private static final List<String> TREES = List.of("org.slf4j.bridge.", "org.slf4j.event.", "org.slf4j.ext.", "org.slf4j.helpers.",
        "org.slf4j.impl.", "org.slf4j.jul.", "org.slf4j.log4j12.", "org.slf4j.nop.", "org.slf4j.profiler.", "org.slf4j.reload4j.",
        "org.slf4j.simple.", "org.slf4j.spi.", "org.apache.logging.log4j.", "org.apache.logging.slf4j.", "org.apache.log4j.",
        "org.apache.commons.logging.impl.", "ch.qos.logback.classic.", "ch.qos.logback.core.", "org.jboss.logging.",
        "org.jboss.logmanager.");
    /** Packages without those below them. */
    private static final Set<String> SINGLE = Set.of("org.slf4j", "org.apache.commons.logging");

    private Loggers() {}

    /** Reports whether a class, by its binary name, is of such a library. */
    public static boolean has(String type) {
        int dot = type.lastIndexOf('.');
        return dot > 0 && SINGLE.contains(type.substring(0, dot)) || TREES.stream().anyMatch(type::startsWith);
    }
}
