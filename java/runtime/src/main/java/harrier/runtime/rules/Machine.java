package harrier.runtime.rules;

import harrier.host.World;
import harrier.runtime.rules.allow.Properties;
import harrier.runtime.rules.allow.Rule;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.rules.refuse.Refusals;
import harrier.runtime.rules.refuse.RefusedCalls;
import harrier.runtime.rules.refuse.Stack;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** What code is told of the machine and of the time: the same everywhere, or nothing. */
final class Machine {
    private static final Pattern LITERAL = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");

    private final Rules rules;
    private final Notes notes;
    private final Callers callers;
    /** Gives the time of the execution, or null for that with which clocks start; null if it has no clock. */
    private Supplier<Instant> clock;

    Machine(Rules rules, Notes notes, Callers callers) {
        this.rules = rules;
        this.notes = notes;
        this.callers = callers;
    }

    /** Sets the clock of the execution; null if it has none. */
    void clock(Supplier<Instant> newClock) {
        clock = newClock;
    }

    Instant now(String place) {
        if (rules.isTimeReal()) {
            notes.addInput();
            return Instant.now();
        }
        if (World.timeGoesOnHere() && callers.isInitializingInStep() && !callers.isLogger()) {
            throw Refusals.note(Stack.say(place, "asks for the time in the static initializer of a class that a step initializes") + Stack.inTime());
        }
        Instant moved = clock == null || callers.isInitializingInStep() ? null : clock.get();
        if (moved != null) {
            return moved;
        }
        Instant start = World.startOfTimeHere();
        if (callers.isLogger() || World.timeGoesOnHere()) {
            return start;
        }
        notes.readsTime(start, place);
        return start;
    }

    void sleep(String what, String place) {
        if (!rules.allow(Rule.THREADS, "ignore-sleep")) {
            throw Refusals.note(Stack.say(place, "calls " + what) + ": a handler must not wait: return, and go on when a"
                + " message or a timer comes; --allow threads=ignore-sleep goes on at once", "threads=ignore-sleep");
        }
    }

    String property(String name, String place) {
        String set = rules.properties().get(name);
        if (set != null) {
            return set;
        }
        return switch (Properties.kind(name)) {
            case CONSTANT -> System.getProperty(name);
            case UNSET -> {
                if (!callers.isLogger()) {
                    notes.add("system properties count as not set (--allow property=NAME:VALUE sets one): {}", name);
                }
                yield null;
            }
            case VARIES -> {
                asksOfMachine(place, "reads the system property " + name);
                yield Properties.fixed(name);
            }
        };
    }

    java.util.Properties properties(String place) {
        asksOfMachine(place, "calls System.getProperties");
        return Properties.all(rules);
    }

    Map<String, String> environment(String place) {
        asksOfMachine(place, "calls System.getenv");
        return Map.of();
    }

    int processors(String place) {
        asksOfMachine(place, "calls Runtime.availableProcessors");
        return 1;
    }

    void interfaces(String place) {
        asksOfMachine(place, "calls NetworkInterface.getNetworkInterfaces");
    }

    /** Refuses questions where the program runs, unless they are allowed. */
    private void asksOfMachine(String place, String what) {
        if (!rules.allow(Rule.ENVIRONMENT, "fixed") && !isLibraryStarting(place)) {
            throw Refusals.note(Stack.say(place, what) + ": " + Properties.MEND, Properties.ALLOW);
        }
    }

    void address(String host, String place) {
        boolean isLiteral = host == null || host.isEmpty() || host.contains(":") || LITERAL.matcher(host).matches();
        if (isLiteral) {
            return;
        }
        if (!callers.isLibraryStarting(Callers.LOOK_AROUND, place)) {
            throw Refusals.note(Stack.say(place, "asks for the address of the host " + host) + ": " + RefusedCalls.NO_IO
                + ", such as an address in digits, or one that InetSocketAddress.createUnresolved makes");
        }
        notes.addInput();
    }

    void shutdownHook(String place) {
        if (!callers.isLogger()) {
            notes.add("the process does not end, so shutdown hooks are not run: {}", place);
        }
    }

    private boolean isLibraryStarting(String place) {
        return callers.isLibraryStarting("libraries are told of no environment when they are initialized: {}", place);
    }
}
