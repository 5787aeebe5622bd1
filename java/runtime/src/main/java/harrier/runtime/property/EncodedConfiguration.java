package harrier.runtime.property;

import harrier.ActorName;
import harrier.host.Configuration;
import harrier.runtime.property.SpecificationSteps.Step;
import harrier.runtime.property.SpecificationSteps.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;

/** A {@link Configuration} of encoded values. It does not change. */
record EncodedConfiguration(Value state, Map<ActorName, Pending> pending, Map<Value, Integer> abandoned) {
    /**
     * A pending operation.
     *
     * @param result what the specification gave when it took effect; null before that
     */
    record Pending(Value invocation, Value result) {}

    /** One without operations. */
    static EncodedConfiguration of(Value state) {
        return new EncodedConfiguration(state, Map.of(), Map.of());
    }

    EncodedConfiguration invoked(ActorName actor, Value invocation) {
        return new EncodedConfiguration(state, with(pending, actor, new Pending(invocation, null)), abandoned);
    }

    /** Without the pending operation of an actor. */
    EncodedConfiguration without(ActorName actor) {
        return new EncodedConfiguration(state, with(pending, actor, null), abandoned);
    }

    EncodedConfiguration abandoned(ActorName actor) {
        Pending p = pending.get(actor);
        EncodedConfiguration rest = without(actor);
        return p.result() != null ? rest : new EncodedConfiguration(state, rest.pending,
            with(abandoned, p.invocation(), abandoned.getOrDefault(p.invocation(), 0) + 1));
    }

    /** The configurations after one more operation took effect. */
    Set<EncodedConfiguration> effects(SpecificationSteps steps) {
        Set<EncodedConfiguration> after = new HashSet<>();
        for (Entry<ActorName, Pending> e : pending.entrySet()) {
            Value invocation = e.getValue().invocation();
            if (e.getValue().result() == null) {
                for (Step step : steps.apply(state, invocation)) {
                    Pending done = new Pending(invocation, step.result());
                    after.add(new EncodedConfiguration(step.state(), with(pending, e.getKey(), done), abandoned));
                }
            }
        }
        for (Value invocation : abandoned.keySet()) {
            steps.apply(state, invocation).forEach(step -> after.add(new EncodedConfiguration(step.state(), pending, fewer(invocation))));
        }
        return after;
    }

    /** The configurations in which one abandoned operation never takes effect. */
    Set<EncodedConfiguration> losses() {
        Set<EncodedConfiguration> after = new HashSet<>();
        abandoned.keySet().forEach(invocation -> after.add(new EncodedConfiguration(state, pending, fewer(invocation))));
        return after;
    }

    private Map<Value, Integer> fewer(Value invocation) {
        int times = abandoned.get(invocation);
        return with(abandoned, invocation, times == 1 ? null : times - 1);
    }

    /** A map in which a key has another value, or none. */
    private static <K, V> Map<K, V> with(Map<K, V> map, K key, V value) {
        Map<K, V> after = new HashMap<>(map);
        if (value == null) {
            after.remove(key);
        } else {
            after.put(key, value);
        }
        return after;
    }

    static EncodedConfiguration encode(Configuration c, SpecificationSteps steps) {
        Map<ActorName, Pending> pending = new HashMap<>();
        c.pending.forEach((actor, p) -> pending.put((ActorName) actor,
            new Pending(steps.encode(p.invocation()), p.tookEffect() ? steps.encode(p.result()) : null)));
        Map<Value, Integer> abandoned = new HashMap<>();
        c.abandoned.forEach((invocation, times) -> abandoned.put(steps.encode(invocation), times));
        return new EncodedConfiguration(steps.encode(c.state), pending, abandoned);
    }

    /** The same, of objects that it shares with no other. */
    Configuration decode(SpecificationSteps steps) {
        Configuration c = new Configuration(steps.decode(state));
        pending.forEach((actor, p) -> c.pending.put(actor, new Configuration.Pending(steps.decode(p.invocation()), p.result() != null,
            p.result() == null ? null : steps.decode(p.result()))));
        abandoned.forEach((invocation, times) -> c.abandoned.put(steps.decode(invocation), times));
        return c;
    }
}
