package harrier.runtime.codec.graph;

import harrier.ActorName;
import harrier.runtime.codec.format.LargeStack;
import harrier.runtime.origin.Origin;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The way to the value that is written or visited: the fields, elements and keys that lead to it. Its length is the value's depth. */
final class ValuePath {
    // What a step to a nested value means, where it is not an index.
    private static final int FIELD = -1;
    private static final int KEY = -2;

    private final int levels;
    private int depth;
    private Object[] steps = new Object[16];
    private int[] indexes = new int[16];

    /** A way to values that nest at most so many levels deep. */
    ValuePath(int levels) {
        this.levels = levels;
    }

    /** Begins at the object whose fields come next. */
    void begin() {
        depth = 1;
    }

    /** A value is next, by the step that was said last. */
    void enter(Object value) {
        if (++depth > levels) {
            LargeStack.check(depth, levels);
            throw tooDeep(value == null ? "null" : value.getClass().getName());
        }
    }

    /** It is done. */
    void leave() {
        depth--;
    }

    /** Fails unless values of a primitive type may be nested in the current value. */
    void requireRoom(Class<?> primitive) {
        if (depth == levels) {
            depth++;
            LargeStack.check(depth, levels);
            throw tooDeep(primitive.getName());
        }
    }

    private NotCapturableException tooDeep(String type) {
        return new NotCapturableException(text(), type,
            "it is nested more than 1,000 values deep; hold long chains in a java.util collection", false);
    }

    /** The next value is in a field. */
    void field(String name) {
        step(name, FIELD);
    }

    /** The next value is an element. */
    void element(int index) {
        step(null, index);
    }

    /** The next value belongs to a key; null for an element or a key of a collection without order. */
    void entry(Object key) {
        step(key, KEY);
    }

    private void step(Object step, int index) {
        if (depth >= steps.length) {
            steps = Arrays.copyOf(steps, depth * 2);
            indexes = Arrays.copyOf(indexes, depth * 2);
        }
        steps[depth] = step;
        indexes[depth] = index;
    }

    /** The fields that lead to the current value. */
    String text() {
        StringBuilder text = new StringBuilder();
        boolean dot = false;
        for (int i = 1; i < depth; i++) {
            if (depth > 20 && i == 9) {
                text.append("..."); // the ends of a long path say enough
                i = depth - 5;
                dot = false;
            }
            switch (indexes[i]) {
                case FIELD -> text.append(dot ? "." : "").append(steps[i]);
                case KEY -> text.append(steps[i] == null ? Constants.ANY : "[" + readableKey(steps[i]) + "]");
                default -> text.append('[').append(indexes[i]).append(']');
            }
            dot = true;
        }
        return text.toString();
    }

    /** How many values are on the way to the current one, which is one of them. */
    int depth() {
        return depth;
    }

    /** Goes back to a value on the way. */
    void backTo(int before) {
        depth = before;
    }

    /**
     * The way to the current value.
     *
     * @param path the values on it
     * @param told tells keys and elements without order apart
     */
    String way(List<Object> path, Function<Object, String> told) {
        StringBuilder way = new StringBuilder();
        for (int i = 1; i < depth; i++) {
            switch (indexes[i]) {
                case FIELD -> way.append('.').append(steps[i]);
                case KEY -> way.append('[').append(told.apply(steps[i] == null ? path.get(i - 1) : steps[i])).append(']');
                default -> way.append('[').append(indexes[i]).append(']');
            }
        }
        return way.substring(1);
    }

    private static String readableKey(Object key) {
        boolean plain = key instanceof Number || key instanceof Character || key instanceof Boolean;
        if (key instanceof String s) {
            return '"' + s + '"';
        }
        if (key instanceof Enum<?> constant) {
            return constant.name();
        }
        return key instanceof ActorName || plain && Origin.isJdks(key.getClass()) ? key.toString() : "*";
    }
}
