package harrier.runtime.property;

import harrier.Scenario;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.NotCapturableException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;

/** What the fields of a scenario hold after its set-up. Properties must not change that. */
final class Snapshot {
    private final Scenario scenario;
    private final Codec codec;
    private final Map<Field, Object> contents = new LinkedHashMap<>();

    Snapshot(Scenario scenario, Codec codec) {
        this.scenario = scenario;
        this.codec = codec;
        for (Class<?> c = scenario.getClass(); c != Scenario.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    contents.put(field, content(field));
                }
            }
        }
    }

    /** The name of a field that holds something else by now; null if there is none. */
    String changed() {
        for (Entry<Field, Object> entry : contents.entrySet()) {
            if (!same(entry.getValue(), content(entry.getKey()))) {
                return entry.getKey().getName();
            }
        }
        return null;
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
