package harrier.runtime.codec.graph;

import harrier.Actor;
import harrier.ActorName;
import harrier.runtime.codec.format.LargeStack;
import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.origin.Origin;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** One encoding in the making: its bytes, the values numbered so far, and the way to the current value. */
public final class Encoder {
    // What a step to a nested value means, where it is not an index.
    private static final int FIELD = -1;
    private static final int KEY = -2;

    public final Output out = new Output();
    public final Numbers numbers = new Numbers();
    public final Lookups lookups;
    private final Plans plans;
    private final int levels;
    /** What is written in place of some objects, by identity; null if nothing is. */
    private final UnaryOperator<Object> instead;

    /** Values numbered from here on are local to the element whose key bytes are made; 0 outside of that. */
    private int base;
    /** How many references were written. */
    private int refs;

    /** What the actor whose state this is must not share with others, and the actor's name; null if that is open. */
    private HeldObjects reached;
    private String actor;
    /** What others than actors hold, which it must not meet; null if that is open. */
    private HeldObjects held;
    /** What visits values in place of writing them; null if they are written. */
    private Walk walk;
    /** Whether objects are written as the static fields that hold them. */
    private boolean writesNames = true;
    /** Whether objects of static final fields that could change are written by name. */
    private boolean sharesConstants;
    /** An object that the field at hand gives an unmodifiable view of. */
    private Object guarded;

    /** The class met last, of values that are not scalar, and its plan. */
    private Class<?> type;
    private Plan plan;
    /** The plan met last of values that static final fields may hold, and what they hold of its class. */
    private Plan lookedUp;
    private Constants.Known constants;
    /** What the step changed of what static fields hold, once that was asked. */
    private Set<Object> changed;

    /** Whether the state of an actor is written. */
    private boolean isOfState;

    private int depth;
    private Object[] steps = new Object[16];
    private int[] indexes = new int[16];

    /** An encoding for values that nest at most so many levels deep. */
    public Encoder(Plans plans, int levels) {
        this(plans, levels, null, new Lookups());
    }

    /**
     * As above.
     *
     * @param instead what is written in place of an object, which may be itself; null if all are written themselves
     * @param lookups takes the elements of sets and maps that may have changed
     */
    public Encoder(Plans plans, int levels, UnaryOperator<Object> instead, Lookups lookups) {
        this.plans = plans;
        this.levels = levels;
        this.instead = instead;
        this.lookups = lookups;
    }

    public byte[] encode(Object message) {
        write(message);
        return out.toBytes();
    }

    /** The bytes of a value with the content of the objects that others write as static fields. */
    public byte[] encodeContent(Object value) {
        writesNames = false;
        return encode(value);
    }

    /** The bytes of a local state; what it reaches is added to what others do. Either may be null. */
    public byte[] encode(LocalState state, HeldObjects reached, HeldObjects held) {
        this.reached = reached;
        this.held = held;
        actor = state.name();
        if (reached != null) {
            reached.add(actor, state.actor());
        }
        return encode(state);
    }

    /** Visits what a field leads to. What cannot be captured itself is passed over, and what is behind it is visited, too. */
    public void walk(Walk by, String field, Object value) {
        walk = by;
        writesNames = !by.visitsNamed();
        depth = 1;
        field(field);
        write(value);
    }

    /** The bytes of a part of a local state; null if a part of it has an identity. */
    byte[] encodeValue(Object value) {
        sharesConstants = plans.areConstantsShared;
        write(value);
        return identities() == 0 ? out.toBytes() : null;
    }

    /** Whether no part of a value has a number: all others are told apart by content alone. */
    public boolean isConstant(Object value) {
        write(value);
        return numbers.size() == 0;
    }

    public byte[] encode(LocalState state) {
        isOfState = true;
        sharesConstants = plans.areConstantsShared;
        Plan plan = plans.of(state.actor().getClass());
        depth = 1;
        if (!(plan instanceof FieldsPlan fields)) {
            plan.write(this, state.actor());
            throw new IllegalArgumentException(plan.type.getName());
        }
        numbers.findOrAdd(state.actor(), plan);
        out.u8(Tag.ACTOR);
        out.string(state.name());
        out.varint(state.children());
        fields.writeFields(this, state.actor(), state.beside());
        return out.toBytes();
    }

    /** Writes any value. */
    public void write(Object given) {
        Object value = instead == null ? given : instead.apply(given);
        if (++depth > levels) {
            LargeStack.check(depth, levels);
            throw tooDeep(value == null ? "null" : value.getClass().getName());
        }
        if (walk != null && !walk.visit(this, value)) {
            depth--;
            return;
        }
        if (value == null) {
            out.u8(Tag.NULL);
        } else if (instead != null && value instanceof BareText text) {
            out.u8(Tag.ENUM);
            out.string(text.of().getName());
            out.string(text.text());
        } else if (!writeScalar(value.getClass(), value)) {
            if (type != value.getClass()) {
                type = value.getClass();
                plan = plans.of(type);
            }
            write(plan, value);
        }
        depth--;
    }

    private void write(Plan plan, Object value) {
        if (walk == null) {
            plan.write(this, value);
            return;
        }
        int nowDepth = depth;
        int nowBase = base;
        try {
            plan.write(this, value);
        } catch (NotCapturableException e) {
            depth = nowDepth;
            base = nowBase;
            walk.goOn(this, value);
        }
    }

    /** Whether the state of an actor is written, in which objects may be shared. */
    public boolean isOfState() {
        return isOfState;
    }

    /** Writes another value in place of the current one. */
    public void writeInPlace(Object value) {
        plans.of(value.getClass()).write(this, value);
    }

    /** Whether a value comes back as the same object wherever it is the same now. */
    public boolean keepsIdentity(Object value) {
        Class<?> type = value.getClass();
        boolean scalar = type == String.class || type == ActorName.class || type == Optional.class
            || value instanceof Number && Origin.isJdks(type) || type == Boolean.class || type == Character.class;
        return !scalar && plans.of(type).keepsIdentity();
    }

    private boolean writeScalar(Class<?> type, Object value) {
        if (type == String.class) {
            out.stringValue((String) value);
        } else if (type == Integer.class) {
            out.u8(Tag.INT);
            out.zigzag((Integer) value);
        } else if (type == ActorName.class) {
            out.u8(Tag.NAME);
            out.string(value.toString());
        } else if (type == Boolean.class) {
            out.u8((Boolean) value ? Tag.TRUE : Tag.FALSE);
        } else if (type == Long.class) {
            out.u8(Tag.LONG);
            out.zigzag((Long) value);
        } else if (type == Optional.class) {
            out.u8(Tag.OPTIONAL);
            field("value");
            write(((Optional<?>) value).orElse(null));
        } else {
            return writeRareScalar(type, value);
        }
        return true;
    }

    private boolean writeRareScalar(Class<?> type, Object value) {
        if (type == Byte.class) {
            out.u8(Tag.BYTE);
            out.zigzag((Byte) value);
        } else if (type == Short.class) {
            out.u8(Tag.SHORT);
            out.zigzag((Short) value);
        } else if (type == Character.class) {
            out.u8(Tag.CHAR);
            out.varint((Character) value);
        } else if (type == Float.class) {
            out.u8(Tag.FLOAT);
            out.big4(Float.floatToRawIntBits((Float) value));
        } else if (type == Double.class) {
            out.u8(Tag.DOUBLE);
            out.big8(Double.doubleToRawLongBits((Double) value));
        } else {
            return false;
        }
        return true;
    }

    /**
     * Writes a reference to {@code value} if it has a number, or its name if actors share it with a static final field; gives it
     * the next number otherwise.
     */
    public boolean known(Object value, Plan plan) {
        byte[] constant = written(value, plan); // looked up even if it is not used: of two names it has that of the class used first
        if (constant != null && sharesConstants && !isChanged(value)) {
            writeConstant(constant);
            return true;
        }
        if (reached != null || held != null || walk != null) {
            meet(value, plan, value != guarded);
            guarded = null;
        }
        int number = numbers.findOrAdd(value, plan);
        if (number < 0) {
            return false;
        }
        refs++;
        if (number >= base) {
            out.u8(Tag.REF);
            out.varint(number - base);
        } else {
            out.u8(Tag.OUTER_REF);
            out.varint(number);
        }
        return true;
    }

    /** Whether the step changed an object that a static field leads to, which its name will stand for no more. */
    private boolean isChanged(Object value) {
        changed = changed == null ? plans.constants.changed() : changed;
        return !changed.isEmpty() && changed.contains(value);
    }

    private void meet(Object value, Plan plan, boolean bare) {
        if (walk != null) {
            walk.meet(this, value, plan, bare);
        }
        if (held != null) {
            held.refuse(this, actor, value, plan, bare);
        }
        if (reached != null) {
            reached.meet(this, actor, value, plan, bare);
        }
    }

    /** The encoded names that an object is written as in place of its content; null if its content is written. */
    byte[] written(Object value, Plan plan) {
        return writesNames ? constant(value, plan) : null;
    }

    /** The encoded names of the static field that holds an object; null if there is none. */
    public byte[] constant(Object value, Plan plan) {
        if (lookedUp != plan) {
            lookedUp = plan;
            constants = plans.constants.of(plan.type);
        }
        return plans.constants.find(value, plan, constants);
    }

    /** Writes an object as the static final field with these encoded names. */
    public void writeConstant(byte[] names) {
        out.u8(Tag.ENUM);
        out.raw(names);
    }

    /** Starts key bytes: numbering starts anew. Returns what {@link #endKey} needs. */
    int startKey() {
        int outer = base;
        base = numbers.size();
        return outer;
    }

    /** Ends key bytes: takes back the numbers that they gave, and returns whose they were. */
    Numbers.Run endKey(int outer) {
        Numbers.Run run = numbers.from(base);
        numbers.truncate(base);
        base = outer;
        return run;
    }

    /** Writes an element of a set, or a key of a map, which is to be looked up if it may have changed. */
    public void writeIn(Object collection, Object element) {
        int before = identities();
        write(element);
        if (identities() != before) {
            lookups.add(this, collection, element);
        }
    }

    /** How many parts were written so far that keep their identity. */
    int identities() {
        return numbers.size() + refs;
    }

    int refs() {
        return refs;
    }

    /** How a collection with so many elements was sorted lately; null if that is not known. */
    Unordered.Sorting sorting(int elements) {
        Unordered.Sorting last = plans.sortings[elements % plans.sortings.length];
        return last != null && last.order().length == elements ? last : null;
    }

    void keep(Unordered.Sorting last) {
        plans.sortings[last.order().length % plans.sortings.length] = last;
    }

    /** Says that the next value is in a field. */
    public void field(String name) {
        step(name, FIELD);
    }

    /** Says that nobody can change {@code value} by way of the field that is written next. */
    void guard(Object value) {
        guarded = value;
    }

    /** Says that the next value is an element. */
    public void element(int index) {
        step(null, index);
    }

    /** Says that the next value belongs to a key. */
    public void entry(Object key) {
        step(key, KEY);
    }

    /** Says that the next value is an element or key of a collection without order. */
    public void anyElement() {
        step(null, KEY);
    }

    /** Makes sure that values of a primitive type may be nested in the current value. */
    public void roomFor(Class<?> primitive) {
        if (depth == levels) {
            depth++;
            LargeStack.check(depth, levels);
            throw tooDeep(primitive.getName());
        }
    }

    private void step(Object step, int index) {
        if (depth >= steps.length) {
            steps = Arrays.copyOf(steps, depth * 2);
            indexes = Arrays.copyOf(indexes, depth * 2);
        }
        steps[depth] = step;
        indexes[depth] = index;
    }

    /** The complaint about the current value. */
    public NotCapturableException refuse(Class<?> type, String mend) {
        return new NotCapturableException(path(), readable(type), mend);
    }

    private NotCapturableException tooDeep(String type) {
        return new NotCapturableException(path(), type,
            "it is nested more than 1,000 values deep; hold long chains in a java.util collection");
    }

    /** The fields that lead to the current value. */
    String path() {
        StringBuilder path = new StringBuilder();
        boolean dot = false;
        for (int i = 1; i < depth; i++) {
            if (depth > 20 && i == 9) {
                path.append("..."); // the ends of a long path say enough
                i = depth - 5;
                dot = false;
            }
            switch (indexes[i]) {
                case FIELD -> path.append(dot ? "." : "").append(steps[i]);
                case KEY -> path.append(steps[i] == null ? Constants.ANY : "[" + readableKey(steps[i]) + "]");
                default -> path.append('[').append(indexes[i]).append(']');
            }
            dot = true;
        }
        return path.toString();
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
            return '"' + s.replaceAll("\\p{Cntrl}", "?") + '"';
        }
        if (key instanceof Enum<?> constant) {
            return constant.name();
        }
        return key instanceof ActorName || plain && Origin.isJdks(key.getClass()) ? key.toString() : "*";
    }

    /** A class's name, without the number that makes a lambda's name differ from run to run. */
    private static String readable(Class<?> type) {
        String name = type.getName();
        int slash = type.isHidden() ? name.indexOf('/') : -1;
        int lambda = name.indexOf("$$Lambda");
        return lambda > 0 ? name.substring(0, lambda) + "$$Lambda" : slash > 0 ? name.substring(0, slash) : name;
    }
}
