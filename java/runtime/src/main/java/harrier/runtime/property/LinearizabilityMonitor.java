package harrier.runtime.property;

import harrier.ActorName;
import harrier.host.Configuration;
import harrier.host.Configuration.Pending;
import harrier.host.Hosting;
import harrier.host.NotLinearizable;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.FormatException;
import harrier.runtime.codec.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Running;
import harrier.runtime.step.Decoding;
import harrier.runtime.step.OperationRecord;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides whether the operations of all runs are linearizable (Herlihy and Wing), step by step, with a state that
 * does not grow with the number of operations: the set of configurations in which the specification may be (Lowe:
 * "Testing for linearizability", 2017). Operations take effect no earlier than a return needs it.
 *
 * <p>An invocation adds a pending operation to all configurations. A return keeps those from which some order of
 * pending operations ends with this one and its result, and takes it out. An operation that a crash abandoned takes
 * effect or not, and its result does not matter. If no configuration is left, the operations are not linearizable.
 *
 * <p>A configuration is left out if it follows from another one of the set, as that allows all that it does. So the
 * set is the smallest that allows the same, and equal ones have equal bytes: a map from keys to sets of
 * configurations, without those keys whose objects are as they were at the start; or what was not linearizable.
 */
public final class LinearizabilityMonitor implements Recording {
    private static final byte[] EMPTY = {};

    private final Specification specification;
    private final Codec codec;
    private final Repeater<LinearizabilityMonitor> again;
    private final byte[] initial;

    /**
     * For a specification.
     *
     * @param again extends every set once more
     * @throws harrier.runtime.failure.UsageException if the class cannot be a specification
     */
    public LinearizabilityMonitor(Class<?> specification, Codec codec, Repeater<LinearizabilityMonitor> again) {
        this.specification = new Specification(specification);
        this.codec = codec;
        this.again = again;
        initial = running(() -> codec.encode(new Configuration(this.specification.initial())));
    }

    @Override
    public byte[] extend(byte[] history, List<OperationRecord> records) {
        if (records.isEmpty()) {
            return history;
        }
        return again.answers(this, List.of(new Repeater.Question<>(history, true, m -> m.running(() -> m.extended(history, records)))),
            this::compared).get(0);
    }

    private byte[] compared(byte[] first, List<byte[]> others) {
        if (others.stream().anyMatch(b -> !Arrays.equals(b, first))) {
            throw RuleException.ofTwo("two answers of " + what() + " for the same operations: it must not depend on iteration"
                + " order, time or chance");
        }
        return first;
    }

    /** Why there is no configuration left, in one line; null if there is one. */
    static String explanation(Codec codec, byte[] history, String specification) {
        if (history.length == 0 || !(codec.decode(history) instanceof NotLinearizable n)) {
            return null;
        }
        return n.actor() + " returns " + text(n.result()) + " from " + text(n.invocation()) + ", where " + specification + " gives "
            + n.allowed().stream().map(LinearizabilityMonitor::text).sorted().collect(Collectors.joining(" or "));
    }

    private static String text(Object value) {
        return value == null ? "nothing" : String.valueOf(value);
    }

    private String what() {
        return "the specification " + specification.name();
    }

    /** What runs code of the specification, as reflection calls it. */
    private interface Code {
        byte[] run() throws InvocationTargetException;
    }

    private byte[] running(Code code) {
        Running.begin(what());
        byte[] given;
        try {
            given = code.run();
        } catch (InvocationTargetException e) {
            throw failed(e.getCause());
        } catch (NotCapturableException e) {
            throw new RuleException(what() + ": " + e.getMessage());
        } catch (RuleException | LimitException | FormatException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw failed(e); // such as by equals
        } finally {
            Running.end();
        }
        Guard.here().refuse(what(), "");
        return given;
    }

    private RuntimeException failed(Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) {
            return LimitException.heap(what());
        }
        Failure failure = Failure.of(thrown); // which runs code of the program, too
        Guard.here().refuse(what(), "");
        return new RuleException(what() + " fails: " + failure.text()
            + (failure.stack().isEmpty() ? "" : " at " + failure.stack().get(0)) + ": it must give a result for every operation in"
            + " every state");
    }

    private byte[] extended(byte[] history, List<OperationRecord> records) throws InvocationTargetException {
        Object kept = history.length == 0 ? Map.of() : decode(history);
        if (kept instanceof NotLinearizable) {
            return history;
        }
        Map<Object, SortedSet<byte[]>> objects = new HashMap<>();
        for (Entry<?, ?> object : ((Map<?, ?>) kept).entrySet()) {
            SortedSet<byte[]> set = set();
            ((Set<?>) object.getValue()).forEach(c -> set.add(codec.encode(c)));
            objects.put(object.getKey(), set);
        }
        for (OperationRecord r : records) {
            NotLinearizable violation = record(objects, r);
            if (violation != null) {
                return codec.encode(violation);
            }
        }
        return encode(objects);
    }

    /** Configurations, encoded. Each is decoded where it is changed, so that they share nothing. */
    private static SortedSet<byte[]> set() {
        return new TreeSet<>(Arrays::compareUnsigned);
    }

    private byte[] encode(Map<Object, SortedSet<byte[]>> objects) {
        Map<Object, Set<Object>> all = new HashMap<>();
        objects.forEach((key, set) -> {
            if (set.size() > 1 || !Arrays.equals(set.first(), initial)) {
                Set<Object> configurations = new HashSet<>();
                set.forEach(c -> configurations.add(decode(c)));
                all.put(key, configurations);
            }
        });
        return all.isEmpty() ? EMPTY : codec.encode(all);
    }

    private Object decode(byte[] bytes) {
        return Decoding.of("what " + what() + " is given", () -> codec.decode(bytes));
    }

    private Configuration configuration(byte[] bytes) {
        return (Configuration) decode(bytes);
    }

    /** Changes the sets of configurations; gives a violation if this leaves none. */
    private NotLinearizable record(Map<Object, SortedSet<byte[]>> objects, OperationRecord r) throws InvocationTargetException {
        ActorName actor = Hosting.access().name(r.actor());
        Entry<Object, SortedSet<byte[]>> about = objects.entrySet().stream()
            .filter(e -> configuration(e.getValue().first()).pending.containsKey(actor)).findFirst().orElse(null);
        switch (r.kind()) {
            case INVOKED -> {
                if (about != null) {
                    throw Recorder.stillPending(actor, decode(r.payload()),
                        configuration(about.getValue().first()).pending.get(actor).invocation());
                }
                Object key = specification.key(decode(r.payload()));
                objects.put(key, invoked(objects.getOrDefault(key, only(initial)), actor, r.payload()));
            }
            case RETURNED -> {
                if (about == null) {
                    throw Recorder.notPending(actor, decode(r.payload()));
                }
                SortedSet<byte[]> allowed = set();
                SortedSet<byte[]> left = returned(about.getValue(), actor, decode(r.payload()), allowed);
                if (left.isEmpty()) {
                    Set<Object> results = new HashSet<>();
                    allowed.forEach(b -> results.add(decode(b)));
                    return new NotLinearizable(actor, configuration(about.getValue().first()).pending.get(actor).invocation(),
                        decode(r.payload()), results);
                }
                about.setValue(smallest(left));
            }
            case ABANDONED -> {
                if (about != null) {
                    about.setValue(smallest(abandoned(about.getValue(), actor)));
                }
            }
        }
        return null;
    }

    private static SortedSet<byte[]> only(byte[] configuration) {
        SortedSet<byte[]> set = set();
        set.add(configuration);
        return set;
    }

    private SortedSet<byte[]> invoked(SortedSet<byte[]> set, ActorName actor, byte[] invocation) {
        SortedSet<byte[]> after = set();
        for (byte[] bytes : set) {
            Configuration c = configuration(bytes);
            c.pending.put(actor, new Pending(decode(invocation), false, null));
            after.add(codec.encode(c));
        }
        return after;
    }

    /**
     * The configurations in which an actor's operation took effect with a result, without this operation.
     *
     * @param allowed takes all results that it may have
     */
    private SortedSet<byte[]> returned(SortedSet<byte[]> set, ActorName actor, Object result, SortedSet<byte[]> allowed)
            throws InvocationTargetException {
        SortedSet<byte[]> after = set();
        SortedSet<byte[]> seen = set();
        seen.addAll(set);
        Deque<byte[]> open = new ArrayDeque<>(set);
        while (!open.isEmpty()) {
            byte[] bytes = open.remove();
            Configuration c = configuration(bytes);
            if (!c.pending.get(actor).tookEffect()) {
                effects(bytes).stream().filter(seen::add).forEach(open::add);
                continue;
            }
            Object given = c.pending.remove(actor).result();
            allowed.add(codec.encode(given));
            if (Objects.deepEquals(given, result)) {
                after.add(codec.encode(c));
            }
        }
        return after;
    }

    private SortedSet<byte[]> abandoned(SortedSet<byte[]> set, ActorName actor) {
        SortedSet<byte[]> after = set();
        for (byte[] bytes : set) {
            Configuration c = configuration(bytes);
            Pending p = c.pending.remove(actor);
            if (!p.tookEffect()) {
                c.abandoned.merge(p.invocation(), 1, Integer::sum);
            }
            after.add(codec.encode(c));
        }
        return after;
    }

    /** Those from which all others of a set follow. It is the only such set, as no configuration follows from itself. */
    private SortedSet<byte[]> smallest(SortedSet<byte[]> set) throws InvocationTargetException {
        SortedSet<byte[]> following = set();
        Deque<byte[]> open = new ArrayDeque<>(set.size() > 1 ? set : List.of());
        while (!open.isEmpty()) {
            byte[] bytes = open.remove();
            List<byte[]> next = effects(bytes);
            next.addAll(losses(bytes));
            next.stream().filter(following::add).forEach(open::add);
        }
        SortedSet<byte[]> smallest = set();
        set.stream().filter(c -> !following.contains(c)).forEach(smallest::add);
        return smallest;
    }

    /** The configurations after one more operation took effect. */
    private List<byte[]> effects(byte[] bytes) throws InvocationTargetException {
        List<byte[]> after = new ArrayList<>();
        for (Entry<ActorName, Pending> e : configuration(bytes).pending.entrySet()) {
            if (!e.getValue().tookEffect()) {
                Configuration c = configuration(bytes);
                Object result = specification.apply(c.state, copy(e.getValue().invocation()));
                c.pending.put(e.getKey(), new Pending(e.getValue().invocation(), true, copy(result)));
                after.add(codec.encode(c));
            }
        }
        for (Object invocation : configuration(bytes).abandoned.keySet()) {
            Configuration c = configuration(bytes);
            specification.apply(c.state, invocation);
            after.add(codec.encode(without(c, invocation)));
        }
        return after;
    }

    /** The configurations in which one abandoned operation never takes effect. */
    private List<byte[]> losses(byte[] bytes) {
        List<byte[]> after = new ArrayList<>();
        for (Object invocation : configuration(bytes).abandoned.keySet()) {
            after.add(codec.encode(without(configuration(bytes), invocation)));
        }
        return after;
    }

    private Configuration without(Configuration c, Object invocation) {
        byte[] content = codec.encode(invocation);
        Object found = c.abandoned.keySet().stream().filter(i -> Arrays.equals(codec.encode(i), content)).findFirst().orElseThrow();
        c.abandoned.computeIfPresent(found, (i, times) -> times == 1 ? null : times - 1);
        return c;
    }

    private Object copy(Object value) {
        return decode(codec.encode(value));
    }
}
