package harrier.runtime.rules.allow;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What may be relaxed by name, and how. */
public enum Rule {
    TIME("real"),
    RANDOMNESS("seed:N, unique:N, or choice:V1,V2,..."),
    THREADS("ignore-sleep, sequential-streams, or of-libraries"),
    IO("read"),
    ENVIRONMENT("fixed"),
    PROPERTY("NAME:VALUE"),
    REFLECTION("any"),
    NATIVES("any"),
    STATICS("frozen"),
    ORDER("plain"),
    CAUGHT("CLASS, or CLASS1,CLASS2,..."),
    JDK("PACKAGE, or PACKAGE1,PACKAGE2,..."),
    /** That a verdict needs a property or an assertion, which Go's side looks after. It is relaxed by its name alone. */
    VACUOUS(""),
    /** That the process goes on cannot be relaxed. */
    EXIT("");

    private final String values;

    Rule(String values) {
        this.values = values;
    }

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What may be allowed, for people. */
    String choices() {
        return values;
    }

    /** Reports whether code that it is relaxed for may reach more of the machine: no program relaxes it for itself. */
    boolean isOfTheMachine() {
        return this == IO || this == REFLECTION || this == NATIVES || this == JDK;
    }

    /** The rules that may be relaxed, and how, for people. */
    static String list() {
        return Arrays.stream(values()).filter(r -> r != EXIT)
            .map(r -> r.values.isEmpty() ? r.label() : r.label() + " (" + r.values + ")").collect(Collectors.joining(", "));
    }
}
