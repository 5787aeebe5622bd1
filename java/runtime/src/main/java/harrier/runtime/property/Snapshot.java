package harrier.runtime.property;

import harrier.Scenario;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.rules.Guard;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;

/** What the fields of a scenario hold after its set-up. What reads it must not change that. */
final class Snapshot {
    private final Scenario scenario;
    private final Codec codec;
    private final String mend;
    private final Map<Field, Object> contents = new LinkedHashMap<>();

    /**
     * What they hold now.
     *
     * @param mend the advice for code that changes it
     */
    Snapshot(Scenario scenario, Codec codec, String mend) {
        this.scenario = scenario;
        this.codec = codec;
        this.mend = mend;
        for (Class<?> c = scenario.getClass(); c != Scenario.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    contents.put(field, content(field));
                }
            }
        }
    }

    /** Has the line found that changes a field, if one is looked for in what runs next. */
    void watch(String who) {
        Guard.here().watch(() -> changes(who, changed()), () -> null);
    }

    /** Refuses an execution that changed a field. */
    void require(String who) {
        Entry<Field, Object> changed = changed();
        if (changed == null) {
            return;
        }
        String changes = changes(who, changed);
        if (changed.getValue() instanceof byte[] bytes) {
            set(changed.getKey(), codec.decode(bytes)); // as the line that did it may be looked for in another execution
        }
        throw Guard.here().refusal(changes, changes, null);
    }

    private String changes(String who, Entry<Field, Object> changed) {
        return changed == null ? null : who + " changes the field " + changed.getKey().getName() + " of the scenario: " + mend;
    }

    /** A field that has changed since, with its former value; null if none has. */
    private Entry<Field, Object> changed() {
        for (Entry<Field, Object> entry : contents.entrySet()) {
            if (!same(entry.getValue(), content(entry.getKey()))) {
                return entry;
            }
        }
        return null;
    }

    private void set(Field field, Object value) {
        try {
            field.set(scenario, value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The bytes of what a field holds, or the object itself if it cannot be captured. */
    private Object content(Field field) {
        Object value;
        try {
            value = field.get(scenario);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        try {
            return codec.encode(value);
        } catch (NotCapturableException e) {
            return new Uncapturable(value);
        }
    }

    private static boolean same(Object before, Object now) {
        if (before instanceof Uncapturable b) {
            return now instanceof Uncapturable n && b.value == n.value;
        }
        return now instanceof byte[] bytes && Arrays.equals((byte[]) before, bytes);
    }

    /** Compared by identity. */
    private record Uncapturable(Object value) {}
}
