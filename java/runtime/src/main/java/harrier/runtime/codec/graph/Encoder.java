package harrier.runtime.codec.graph;

import harrier.ActorName;
import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.origin.Origin;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * One encoding in the making: its bytes and the values numbered so far. {@link ValuePath} has the way to the current value,
 * {@link NamesOfConstants} which objects are written as static fields, {@link Sharing} what the actor must not reach. A {@link Walk}
 * visits values in place of writing them. It has as many methods as plans need to write values and to say where they are.
 */
public final class Encoder {
    public final Output out = new Output();
    public final Numbers numbers = new Numbers();
    public final Lookups lookups;
    private final Plans plans;
    private final ValuePath path;
    private final NamesOfConstants names;
    /** Gives the objects to write in place of others, by identity; null for none. */
    private final UnaryOperator<Object> instead;

    /** Values numbered from here on are local to the element whose key bytes are made; 0 outside of that. */
    private int base;
    /** How many references were written. */
    private int refs;
    /** What the actor whose state is written must not share; null if that is open. */
    private Sharing sharing;
    /** What visits values in place of writing them; null if they are written. */
    private Walk walk;
    /** An object that the field at hand gives an unmodifiable view of. */
    private Object guarded;
    /** The class met last, of values that are not scalar, and its plan. */
    private Class<?> type;
    private Plan plan;
    /** Whether the state of an actor is written. */
    private boolean isOfState;
    /** Whether values are refused that can change in content that is not written. */
    private boolean isWhole;

    /** An encoding for values that nest at most so many levels deep. */
    public Encoder(Plans plans, int levels) {
        this(plans, levels, null, new Lookups());
    }

    /**
     * As above.
     *
     * @param instead gives the object to write in place of an object, which may be itself; null if all are written themselves
     * @param lookups takes the elements of sets and maps that may have changed
     */
    public Encoder(Plans plans, int levels, UnaryOperator<Object> instead, Lookups lookups) {
        this.plans = plans;
        path = new ValuePath(levels);
        names = new NamesOfConstants(plans);
        this.instead = instead;
        this.lookups = lookups;
    }

    public byte[] encode(Object message) {
        write(message);
        return out.toBytes();
    }

    /** The bytes of a value with the content of the objects that others write as static fields. */
    public byte[] encodeContent(Object value) {
        names.write(false);
        return encode(value);
    }

    /** The bytes of a local state; the objects that it reaches are added to {@code reached}. Either may be null. */
    public byte[] encode(LocalState state, HeldObjects reached, HeldObjects held) {
        if (reached != null || held != null) {
            sharing = new Sharing(reached, held, state.name());
        }
        if (reached != null) {
            reached.add(state.name(), state.actor());
        }
        return encode(state);
    }

    /** Visits the objects behind a field. An object that cannot be captured is passed over, and the objects behind it are visited, too. */
    public void walk(Walk by, String field, Object value) {
        walk = by;
        names.write(!by.visitsNamed());
        path.begin();
        field(field);
        write(value);
    }

    /** The bytes of a part of a local state; null if a part of it has an identity. */
    byte[] encodeValue(Object value) {
        names.share();
        write(value);
        return identities() == 0 ? out.toBytes() : null;
    }

    /**
     * Reports whether no part of a value has a number: all others are told apart by content alone.
     *
     * @throws NotCapturableException also if a part can change in content that is not written
     */
    public boolean isConstant(Object value) {
        isWhole = true;
        write(value);
        return numbers.size() == 0;
    }

    public byte[] encode(LocalState state) {
        isOfState = true;
        names.share();
        Plan plan = plans.of(state.actor().getClass());
        path.begin();
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

    /** The bytes of a value beside the fields that were written, as if it came next. Nothing is written. */
    byte[] beside(Object value) {
        Sharing asked = sharing;
        sharing = null; // until it is written where it belongs, as complaints say where a value is
        int start = out.size();
        int numbered = numbers.size();
        write(value);
        numbers.truncate(numbered);
        sharing = asked;
        return out.cut(start);
    }

    /** Writes any value. */
    public void write(Object given) {
        Object value = instead == null ? given : instead.apply(given);
        path.enter(value);
        if (walk != null && !walk.visit(this, value)) {
            path.leave();
            return;
        }
        if (value == null) {
            out.u8(Tag.NULL);
        } else if (instead != null && value instanceof BareText text) {
            out.u8(Tag.ENUM);
            out.string(text.of().getName());
            out.string(text.text());
        } else if (value.getClass() == Optional.class) {
            out.u8(Tag.OPTIONAL);
            field("value");
            write(((Optional<?>) value).orElse(null));
        } else if (!Scalars.write(out, value.getClass(), value)) {
            if (type != value.getClass()) {
                type = value.getClass();
                plan = plans.of(type);
            }
            if (isWhole && plan.omits()) {
                throw refuse(type, "what is not written of it can change");
            }
            write(plan, value);
        }
        path.leave();
    }

    private void write(Plan plan, Object value) {
        if (walk == null) {
            plan.write(this, value);
            return;
        }
        int nowDepth = path.depth();
        int nowBase = base;
        try {
            plan.write(this, value);
        } catch (NotCapturableException e) {
            path.backTo(nowDepth);
            base = nowBase;
            walk.goOn(this, value);
        }
    }

    /** Reports whether a value comes back as the same object wherever it is the same now. */
    public boolean keepsIdentity(Object value) {
        Class<?> type = value.getClass();
        boolean scalar = type == String.class || type == ActorName.class || type == Optional.class
            || value instanceof Number && Origin.isJdks(type) || type == Boolean.class || type == Character.class;
        return !scalar && plans.of(type).keepsIdentity();
    }

    /** Reports whether the state of an actor is written, in which objects may be shared. */
    public boolean isOfState() {
        return isOfState;
    }

    /** Writes another value in place of the current one. */
    public void writeInPlace(Object value) {
        plans.of(value.getClass()).write(this, value);
    }

    /**
     * Writes a reference to {@code value} if it has a number, or its name if actors share it with a static final field; gives it
     * the next number otherwise.
     */
    public boolean known(Object value, Plan plan) {
        byte[] constant = names.written(value, plan); // looked up even if it is not used: of two names it has that of the class used first
        if (constant != null && names.isShared(value)) {
            writeConstant(constant);
            return true;
        }
        if (sharing != null || walk != null) {
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

    private void meet(Object value, Plan plan, boolean bare) {
        if (walk != null) {
            walk.meet(this, value, plan, bare);
        }
        if (sharing != null) {
            sharing.meet(this, value, plan, bare);
        }
    }

    /** The encoded names that an object is written as in place of its content; null if its content is written. */
    byte[] written(Object value, Plan plan) {
        return names.written(value, plan);
    }

    /** The encoded names of the static field that holds an object; null if there is none. */
    public byte[] constant(Object value, Plan plan) {
        return names.of(value, plan);
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

    /** The next value is in a field. */
    public void field(String name) {
        path.field(name);
    }

    /** The next value is an element. */
    public void element(int index) {
        path.element(index);
    }

    /** The next value belongs to a key. */
    public void entry(Object key) {
        path.entry(key);
    }

    /** The next value is an element or key of a collection without order. */
    public void anyElement() {
        path.entry(null);
    }

    /** Fails unless values of a primitive type may be nested in the current value. */
    public void roomFor(Class<?> primitive) {
        path.requireRoom(primitive);
    }

    /** The way to the current value. */
    ValuePath path() {
        return path;
    }

    /** The field that is written next is an unmodifiable view of {@code value}. */
    void guard(Object value) {
        guarded = value;
    }

    /** The complaint about the current value. */
    public NotCapturableException refuse(Class<?> type, String mend) {
        return new NotCapturableException(path.text(), readable(type), mend,
            Thread.class.isAssignableFrom(type) || type == ThreadGroup.class || Executor.class.isAssignableFrom(type));
    }

    /** A class's name, without the number that makes a lambda's name differ from run to run. */
    private static String readable(Class<?> type) {
        String name = type.getName();
        int slash = type.isHidden() ? name.indexOf('/') : -1;
        int lambda = name.indexOf("$$Lambda");
        return lambda > 0 ? name.substring(0, lambda) + "$$Lambda" : slash > 0 ? name.substring(0, slash) : name;
    }
}
