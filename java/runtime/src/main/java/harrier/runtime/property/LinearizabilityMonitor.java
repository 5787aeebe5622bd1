package harrier.runtime.property;

import harrier.ActorName;
import harrier.Hosting;
import harrier.host.Configuration;
import harrier.host.NotLinearizable;
import harrier.runtime.codec.Codec;
import harrier.runtime.property.SpecificationSteps.Value;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.step.OperationRecord;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides whether the operations of all runs are linearizable (Herlihy and Wing), step by step, with a state that
 * does not grow with the number of operations: the set of configurations in which the specification may be (Lowe:
 * "Testing for linearizability", 2017). Operations take effect no earlier than a return needs it.
 *
 * <p>An invocation adds a pending operation to all configurations. A return keeps those from which some order of
 * pending operations ends with this one and its result, and takes it out. An operation that a crash abandoned takes
 * effect or not, and its result does not matter. If no configuration is left, the operations are not linearizable.
 *
 * <p>Where operations are to be regular only, there is one more set for each pending read, with that and the operations
 * that do not read. A read is judged by its own set, which goes when it ends.
 *
 * <p>A configuration is left out if it follows from another one of the set, as that allows all that it does. So the
 * set is the smallest that allows the same, and equal ones have equal bytes: a map from keys to sets of
 * configurations, without those keys whose objects are as they were at the start; or the operation that was not linearizable.
 */
public final class LinearizabilityMonitor implements Recording {
    private static final byte[] EMPTY = {};

    private final Codec codec;
    private final SpecificationSteps steps;
    private final EncodedConfiguration initial;

    /**
     * What a set of configurations is of: an object by its key, and perhaps a pending read.
     *
     * @param reader who reads; null if the set has the operations that are not judged by themselves
     */
    private record Subject(Value key, ActorName reader) {}

    /**
     * For a specification.
     *
     * @param read the class of the operations that are judged by themselves; null if operations are to be linearizable
     * @param again asks the specification every question once more
     * @param remembers whether it is not asked again what it has answered
     * @throws harrier.runtime.failure.UsageException if the class cannot be a specification
     */
    public LinearizabilityMonitor(Class<?> specification, Class<?> read, Codec codec, Repeater<SpecificationSteps> again,
            boolean remembers) {
        this.codec = codec;
        steps = new SpecificationSteps(new Specification(specification), read, codec, again, remembers);
        initial = EncodedConfiguration.of(steps.initial());
    }

    @Override
    public byte[] extend(byte[] history, List<OperationRecord> records) {
        if (records.isEmpty()) {
            return history;
        }
        Map<Subject, Set<EncodedConfiguration>> objects = steps.running(() -> objects(history));
        if (objects == null) {
            return history;
        }
        for (OperationRecord r : records) {
            NotLinearizable violation = record(objects, r);
            if (violation != null) {
                return steps.running(() -> codec.encode(violation));
            }
        }
        return steps.running(() -> bytes(objects));
    }

    /** What answers for the specification. */
    public SpecificationSteps steps() {
        return steps;
    }

    /** Why there is no configuration left, in one line; null if there is one. */
    static String explanation(Codec codec, byte[] history, String specification) {
        if (history.length == 0 || !(codec.decode(history) instanceof NotLinearizable n)) {
            return null;
        }
        String allowed = n.allowed().stream().map(LinearizabilityMonitor::text).sorted().collect(Collectors.joining(" or "));
        return n.actor() + " returns " + text(n.result()) + " from " + text(n.invocation()) + ", where " + specification
            + (n.allowed().isEmpty() ? " has it wait" : " gives " + allowed);
    }

    private static String text(Object value) {
        return value == null ? "nothing" : String.valueOf(value);
    }

    /** The sets of configurations, by the key; null if there is none left. */
    private Map<Subject, Set<EncodedConfiguration>> objects(byte[] history) {
        Object kept = history.length == 0 ? Map.of() : steps.decode(history);
        if (kept instanceof NotLinearizable) {
            return null;
        }
        Map<Subject, Set<EncodedConfiguration>> objects = new HashMap<>();
        ((Map<?, ?>) kept).forEach((key, set) -> {
            Set<EncodedConfiguration> configurations = new HashSet<>();
            ((Set<?>) set).forEach(c -> configurations.add(EncodedConfiguration.encode((Configuration) c, steps)));
            objects.put(key instanceof Configuration.Read r ? new Subject(steps.encode(r.key()), (ActorName) r.reader())
                : new Subject(steps.encode(key), null), configurations);
        });
        return objects;
    }

    private byte[] bytes(Map<Subject, Set<EncodedConfiguration>> objects) {
        Map<Object, Set<Object>> all = new HashMap<>();
        objects.forEach((subject, set) -> {
            if (!set.equals(Set.of(initial))) {
                Set<Object> configurations = new HashSet<>();
                set.forEach(c -> configurations.add(c.decode(steps)));
                Object key = steps.decode(subject.key);
                all.put(subject.reader == null ? key : new Configuration.Read(key, subject.reader), configurations);
            }
        });
        return all.isEmpty() ? EMPTY : codec.encode(all);
    }

    /** Changes the sets of configurations; gives a violation if this leaves none. */
    private NotLinearizable record(Map<Subject, Set<EncodedConfiguration>> objects, OperationRecord r) {
        ActorName actor = Hosting.name(r.actor());
        Value payload = steps.value(r.payload());
        // Those that have the actor's operation: one, but for operations with which reads are judged; then it is the first.
        List<Subject> about = objects.keySet().stream().filter(s -> any(objects.get(s)).pending().containsKey(actor))
            .sorted(Comparator.comparing(s -> s.reader != null)).toList();
        switch (r.kind()) {
            case INVOKED -> {
                if (!about.isEmpty()) {
                    throw Recorder.stillPending(actor, decode(payload), decode(invocation(objects.get(about.get(0)), actor)));
                }
                invoke(objects, actor, payload);
            }
            case RETURNED -> {
                if (about.isEmpty()) {
                    throw Recorder.notPending(actor, decode(payload));
                }
                for (Subject s : about) {
                    NotLinearizable violation = end(objects, s, actor, payload);
                    if (violation != null) {
                        return violation;
                    }
                }
            }
            case ABANDONED -> about.forEach(s -> put(objects, s, actor, each(objects.get(s), c -> c.abandoned(actor))));
        }
        return null;
    }

    private void invoke(Map<Subject, Set<EncodedConfiguration>> objects, ActorName actor, Value invocation) {
        Subject whole = new Subject(steps.key(invocation), null);
        Set<EncodedConfiguration> before = objects.getOrDefault(whole, Set.of(initial));
        if (steps.isRead(invocation)) {
            objects.put(new Subject(whole.key, actor), invoked(before, actor, invocation));
            return;
        }
        objects.put(whole, before);
        objects.replaceAll((s, set) -> s.key == whole.key ? invoked(set, actor, invocation) : set);
    }

    /** Takes out the operation of an actor that returned, or gives a violation if no configuration explains the result. */
    private NotLinearizable end(Map<Subject, Set<EncodedConfiguration>> objects, Subject subject, ActorName actor, Value result) {
        Set<Value> allowed = new HashSet<>();
        Set<EncodedConfiguration> set = objects.get(subject);
        Set<EncodedConfiguration> left = returned(set, actor, result, allowed);
        if (left.isEmpty()) {
            return new NotLinearizable(actor, decode(invocation(set, actor)), decode(result),
                allowed.stream().map(this::decode).collect(Collectors.toCollection(HashSet::new)));
        }
        put(objects, subject, actor, left);
        return null;
    }

    /** Puts a set in which an operation of an actor has ended in place of another one. */
    private void put(Map<Subject, Set<EncodedConfiguration>> objects, Subject subject, ActorName actor, Set<EncodedConfiguration> set) {
        if (actor.equals(subject.reader)) {
            objects.remove(subject);
        } else {
            objects.put(subject, smallest(set));
        }
    }

    private Object decode(Value value) {
        return steps.running(() -> steps.decode(value));
    }

    /** One of a set. All have the same pending operations. */
    private static EncodedConfiguration any(Set<EncodedConfiguration> set) {
        return set.iterator().next();
    }

    private static Value invocation(Set<EncodedConfiguration> set, ActorName actor) {
        return any(set).pending().get(actor).invocation();
    }

    private static Set<EncodedConfiguration> each(Set<EncodedConfiguration> set, UnaryOperator<EncodedConfiguration> change) {
        return set.stream().map(change).collect(Collectors.toSet());
    }

    private static Set<EncodedConfiguration> invoked(Set<EncodedConfiguration> set, ActorName actor, Value invocation) {
        return each(set, c -> c.invoked(actor, invocation));
    }

    /**
     * The configurations in which an actor's operation took effect with a result, without this operation.
     *
     * @param allowed takes all results that it may have
     */
    private Set<EncodedConfiguration> returned(Set<EncodedConfiguration> set, ActorName actor, Value result, Set<Value> allowed) {
        Set<EncodedConfiguration> after = new HashSet<>();
        Set<EncodedConfiguration> seen = new HashSet<>(set);
        Deque<EncodedConfiguration> open = new ArrayDeque<>(set);
        while (!open.isEmpty()) {
            EncodedConfiguration c = open.remove();
            Value given = c.pending().get(actor).result();
            if (given == null) {
                c.effects(steps).stream().filter(seen::add).forEach(open::add);
                continue;
            }
            allowed.add(given);
            if (steps.isSame(given, result)) {
                after.add(c.without(actor));
            }
        }
        return after;
    }

    /** Those from which all others of a set follow. It is the only such set, as no configuration follows from itself. */
    private Set<EncodedConfiguration> smallest(Set<EncodedConfiguration> set) {
        Set<EncodedConfiguration> following = new HashSet<>();
        Deque<EncodedConfiguration> open = new ArrayDeque<>(set.size() > 1 ? set : List.of());
        while (!open.isEmpty()) {
            EncodedConfiguration c = open.remove();
            Stream.concat(c.effects(steps).stream(), c.losses().stream()).filter(following::add).forEach(open::add);
        }
        return set.stream().filter(c -> !following.contains(c)).collect(Collectors.toSet());
    }
}
