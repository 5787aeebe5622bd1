package harrier.runtime.step;

import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.WrongDeclaration;
import harrier.runtime.UsageException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** What the set-up of a scenario says about timers, clocks, the network and crashes. */
public final class Declared {
    private boolean inOrder;
    private Instant start = Instant.EPOCH;
    private final Map<String, SortedSet<String>> roles = new LinkedHashMap<>();
    private final List<Declaration> declarations = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private Scope fifo = Scope.NOBODY;

    /** Notes that the scenario created an actor. */
    public void created(String role, String name) {
        roles.computeIfAbsent(role, r -> new TreeSet<>()).add(name);
        roles.computeIfAbsent(name, r -> new TreeSet<>()).add(name);
    }

    /** Notes what the scenario says about the network or about crashes. */
    public void add(Declaration declaration) {
        declarations.add(declaration);
    }

    /** Has the durations of timers count. */
    public void timersInOrder() {
        requireNoActors("timers().inOrder()");
        inOrder = true;
    }

    /** Sets the time that clocks show first. */
    public void clocksStartAt(Instant instant) {
        requireNoActors("clock().startsAt(" + instant + ")");
        start = instant;
    }

    private void requireNoActors(String what) {
        if (!roles.isEmpty()) {
            throw new WrongDeclaration(what + " comes too late: say it before actors are created");
        }
    }

    /** Whether durations decide which timer may fire. */
    boolean isInOrder() {
        return inOrder;
    }

    Instant start() {
        return start;
    }

    /** Receivers of channels that keep the order of messages. */
    public Scope fifo() {
        return fifo;
    }

    /** What may go wrong. */
    public List<Fault> faults() {
        return faults;
    }

    /** Whether an actor may crash and start again. */
    public boolean mayRestart(String name) {
        return faults.stream().anyMatch(f -> f.kind() == EventKind.RESTART && f.scope().has(name));
    }

    /** Whether another set-up said the same. */
    public boolean sameAs(Declared other) {
        return inOrder == other.inOrder && start.equals(other.start) && fifo.equals(other.fifo)
            && faults.equals(other.faults);
    }

    /** Finds out whom the declarations mean, now that all actors are there. */
    public void resolve(String where) {
        for (Declaration d : declarations) {
            SortedSet<String> names = new TreeSet<>();
            for (String whom : d.whom()) {
                if (!roles.containsKey(whom)) {
                    throw new UsageException(where + ": there is no actor or role \"" + whom + "\": there are "
                        + String.join(", ", roles.keySet()));
                }
                names.addAll(roles.get(whom));
            }
            if (d.kind() == Kind.FIFO) {
                fifo = union(fifo, new Scope(d.whom().isEmpty(), List.copyOf(names)));
            } else if (d.budget() != 0) {
                faults.add(fault(where, d, names));
            }
        }
    }

    private static Scope union(Scope a, Scope b) {
        SortedSet<String> names = new TreeSet<>(a.names());
        names.addAll(b.names());
        return new Scope(a.all() || b.all(), List.copyOf(names));
    }

    private Fault fault(String where, Declaration d, SortedSet<String> names) {
        String whom = d.whom().isEmpty() ? "any actor" : String.join(", ", d.whom());
        SortedSet<String> all = new TreeSet<>();
        roles.values().forEach(all::addAll);
        Scope receivers = new Scope(d.whom().isEmpty(), List.copyOf(names));
        // Children are no part of what may crash: their birth is not kept.
        Scope crashing = new Scope(false, List.copyOf(d.whom().isEmpty() ? all : names));
        return switch (d.kind()) {
            case CRASH -> new Fault(EventKind.RESTART, crashing, d.budget(), "crash and restart of " + whom);
            case STOP -> new Fault(EventKind.STOP, crashing, d.budget(), "crash for good of " + whom);
            case LOSE -> new Fault(EventKind.LOSE, receivers, d.budget(), "loss of messages to " + whom);
            case DUPLICATE -> new Fault(EventKind.DUPLICATE, receivers, d.budget(), "duplication of messages to " + whom);
            case SPLIT -> {
                if (names.equals(all)) {
                    throw new UsageException(where + ": partition(" + whom + ") leaves nobody on the other side: name the"
                        + " actors of one side only");
                }
                yield new Fault(EventKind.SPLIT, receivers, d.budget(), "split of " + whom + " from the others");
            }
            case FIFO -> throw new IllegalArgumentException("no fault");
        };
    }
}
