package harrier.runtime.origin;

import java.util.Arrays;
import java.util.Set;

/**
 * Libraries that log. What they keep and look at says nothing of the program: nothing is explored of it, compared or
 * captured, unless they are the program under check.
 */
public final class Loggers {
    /** Their packages, each with those below it, sorted. Packages beside them may be anybody's, and are libraries like others. */
    private static final String[] TREES = {"ch.qos.logback.classic.", "ch.qos.logback.core.", "org.apache.commons.logging.impl.",
        "org.apache.log4j.", "org.apache.logging.log4j.", "org.apache.logging.slf4j.", "org.jboss.logging.", "org.jboss.logmanager.",
        "org.slf4j.bridge.", "org.slf4j.event.", "org.slf4j.ext.", "org.slf4j.helpers.", "org.slf4j.impl.", "org.slf4j.jul.",
        "org.slf4j.log4j12.", "org.slf4j.nop.", "org.slf4j.profiler.", "org.slf4j.reload4j.", "org.slf4j.simple.", "org.slf4j.spi."};
    /** Packages without those below them. */
    private static final Set<String> SINGLE = Set.of("org.slf4j", "org.apache.commons.logging");

    private Loggers() {}

    /** Reports whether a class, by its binary name, is of such a library. */
    public static boolean has(String type) {
        if (!type.startsWith("org.") && !type.startsWith("ch.qos.")) {
            return false; // quickly, as this is asked for each call of a method and each class of objects behind static fields
        }
        int place = Arrays.binarySearch(TREES, type);
        int before = place < 0 ? -place - 2 : place; // the only one that the name can begin with: none begins with another one
        return before >= 0 && type.startsWith(TREES[before]) || SINGLE.contains(Origin.packageOf(type));
    }
}
