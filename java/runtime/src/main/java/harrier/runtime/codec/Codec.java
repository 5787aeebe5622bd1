package harrier.runtime.codec;

import harrier.Scenario;
import harrier.runtime.codec.format.LargeStack;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Constants;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Hidden;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.Lookups;
import harrier.runtime.codec.graph.Merging;
import harrier.runtime.codec.graph.Plan;
import harrier.runtime.codec.graph.Plans;
import harrier.runtime.codec.graph.Slot;
import harrier.runtime.codec.graph.Slots;
import harrier.runtime.codec.graph.Walk;
import harrier.runtime.jdk.Order;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Turns local states and messages into bytes and back. Equal bytes mean equal content: what a later
 * step could tell apart has different bytes. docs/reference.md defines the bytes.
 *
 * <p>Objects are encoded field by field, and decoded without constructors; only hash
 * collections and the like run code of the program ({@code hashCode}, {@code equals},
 * {@code compareTo}), when they are decoded, and when elements that may have changed are looked up. May be used by several threads.
 */
public final class Codec {
    private final Plans plans;

    /** A codec for classes whose static fields do not matter. */
    public Codec(ClassLoader users) {
        this(users, List::of);
    }

    /**
     * A codec for the classes of one program.
     *
     * @param users finds the program's classes by name, and the JDK's
     * @param loaded the program's classes that were loaded so far, whose static final fields may hold
     *     stateless objects
     */
    public Codec(ClassLoader users, Supplier<List<Class<?>>> loaded) {
        plans = new Plans(users, new PlanChoice(), new Constants(loaded));
    }

    /**
     * The bytes of a message's content.
     *
     * @throws NotCapturableException if it holds what cannot be captured, an actor for instance
     */
    public byte[] encode(Object message) {
        if (message instanceof LocalState state) {
            return encode(state);
        }
        return encoded(e -> e.encode(message));
    }

    /** The same of what static fields hold, with the content of all objects that they lead to. */
    public byte[] encodeContent(Object held) {
        return encoded(e -> e.encodeContent(held));
    }

    /** The same, iterating in the order that is on: so values show that have several encodings. */
    public byte[] encodeInOrder(Object message) {
        return LargeStack.call(levels -> message instanceof LocalState state ? new Encoder(plans, levels).encode(state)
            : new Encoder(plans, levels).encode(message));
    }

    /** The bytes of a value in which all sets and maps find their elements, in the order that is on. */
    private byte[] encoded(Function<Encoder, byte[]> encode) {
        Lookups lookups = new Lookups();
        IntFunction<byte[]> work = levels -> encode.apply(new Encoder(plans, levels, null, lookups));
        byte[] bytes = inPlainOrder(work);
        if (lookups.miss()) {
            return inPlainOrder(work); // refuses it where it is
        }
        return bytes;
    }

    /** Does work in the plain order, whichever is on. */
    private static <T> T inPlainOrder(IntFunction<T> work) {
        return Order.plain(() -> LargeStack.call(work));
    }

    /** Reports whether a throwable was decoded: where it was thrown is not known any more. */
    public static boolean hasNoTrace(Throwable thrown) {
        return Hidden.hasNoTrace(thrown);
    }

    /**
     * Reports whether nothing that a value holds can change.
     *
     * @throws NotCapturableException if it holds an object that cannot be captured, or content that its bytes leave out, such as stack traces
     */
    public boolean isConstant(Object value) {
        return inPlainOrder(levels -> new Encoder(plans, levels).isConstant(value));
    }

    /**
     * The objects that a local state reaches.
     *
     * @throws NotCapturableException if it holds what cannot be captured
     */
    public Identities identities(LocalState state) {
        return inPlainOrder(levels -> {
            Encoder encoder = new Encoder(plans, levels);
            encoder.encode(state);
            return new Identities(encoder.numbers);
        });
    }

    /**
     * The bytes of a local state.
     *
     * @throws NotCapturableException if it holds what cannot be captured
     */
    public byte[] encode(LocalState state) {
        return encoded(e -> e.encode(state));
    }

    /**
     * The bytes of a local state in which some objects stand for others.
     *
     * @param instead gives the object to write in place of an object, which may be itself
     * @throws NotCapturableException if it holds what cannot be captured
     */
    public byte[] encode(LocalState state, UnaryOperator<Object> instead) {
        return inPlainOrder(levels -> new Encoder(plans, levels, instead, new Lookups()).encode(state));
    }

    /**
     * The bytes of a local state of an actor that runs together with others.
     *
     * @param reached the objects that the others reach, to which this one's are added; null if it runs alone
     * @param held the objects that it must not reach
     * @throws NotCapturableException if it holds what cannot be captured, or what another one could change
     */
    public byte[] encode(LocalState state, HeldObjects reached, HeldObjects held) {
        HeldObjects any = held.isEmpty() ? null : held;
        return encoded(e -> e.encode(state, reached, any));
    }

    /**
     * The bytes of a local state that was encoded before objects behind static fields had names.
     *
     * @param had the objects that it had
     */
    public byte[] named(byte[] bytes, Identities had) {
        LocalState state = decodeLocalState(bytes);
        Map<Object, Object> same = identities(state).with(had);
        same.values().removeIf(object -> !isWay(object));
        return same.isEmpty() ? bytes : encode(state, o -> same.getOrDefault(o, o));
    }

    /** Reports whether an object has a name in states. */
    private boolean isWay(Object object) {
        Plan plan = plans.of(object.getClass());
        return plans.constants.find(object, plan, plans.constants.of(plan.type)) != null;
    }

    /** Notes the objects that are behind a field that is no actor's. */
    public void hold(String field, Object value, HeldObjects into) {
        walk(() -> new Walk.Holding(into), field, value);
    }

    /**
     * Has the objects that a static field leads to and that cannot change written as the ways there from now on, and in the states of
     * actors those that could, as long as no step changes them.
     *
     * @param field the field's name in ways
     * @param kept the objects that actors have; null if they may have any
     * @param isWatched whether it is noticed if a step changes an object
     */
    public void name(Class<?> owner, String field, Object value, List<Identities> kept, Predicate<Object> isWatched) {
        walk(() -> new Walk.Naming(plans, owner, kept, isWatched), field, value).name();
    }

    /** A walk is begun anew if values nest so deep that it needs another stack. */
    private <W extends Walk> W walk(Supplier<W> begin, String field, Object value) {
        return inPlainOrder(levels -> {
            W walk = begin.get();
            new Encoder(plans, levels).walk(walk, field, value);
            return walk;
        });
    }

    /**
     * Which objects some values lead to on several ways, and which strings are not those of literals: what programs can tell, and the
     * content does not.
     *
     * @param values by what the ways to them begin with
     * @return the ways to each such object and string
     */
    public List<List<String>> shared(Map<String, ?> values) {
        return inPlainOrder(levels -> {
            Walk.Counting counting = new Walk.Counting();
            values.forEach((name, value) -> new Encoder(plans, levels).walk(counting, name, value));
            Walk.Sharing sharing = new Walk.Sharing(counting.shared(), plans::content);
            values.forEach((name, value) -> new Encoder(plans, levels).walk(sharing, name, value));
            return sharing.ways();
        });
    }

    /**
     * Sets the source of the objects behind static fields that a step changed, where steps may change them and that is undone. In the state
     * of an actor such an object is written by its content: it is the actor's own from then on.
     *
     * @param leadsToSame reports whether the step changed no object that an object leads to, itself included, at less cost; false if that is not known
     */
    public void changedBy(Predicate<Object> leadsToSame, Supplier<Set<Object>> changed) {
        plans.constants.changedBy(leadsToSame, changed);
    }

    /** Ends what {@link #name} began for some fields, and reports whether they lead to values or strings. */
    public boolean endNaming() {
        return plans.constants.endNaming();
    }

    /** Notes the objects that are behind a scenario's fields. */
    public void hold(Scenario scenario, HeldObjects into) {
        for (Slot slot : Slots.shown(scenario.getClass(), Scenario.class)) {
            if (slot.kind == 'L') {
                hold(slot.name, Raw.UNSAFE.getReference(scenario, slot.offset), into);
            }
        }
    }

    /**
     * The message's content with these bytes, made anew.
     *
     * @throws FormatException if there is none
     */
    public Object decode(byte[] bytes) {
        Merging merging = Merging.here();
        return LargeStack.call(levels -> new Decoder(plans, bytes, levels, merging).readMessage()).result();
    }

    /**
     * The bytes of a message's content or a local state in which some objects stand for others.
     *
     * @param instead gives the object to write in place of an object, which may be itself
     */
    public byte[] replace(byte[] bytes, UnaryOperator<Object> instead) {
        if (bytes[0] == Tag.ACTOR) {
            return encode(decodeLocalState(bytes), instead);
        }
        Object content = decode(bytes);
        return inPlainOrder(levels -> new Encoder(plans, levels, instead, new Lookups()).encode(content));
    }

    /**
     * The local state with these bytes, made anew.
     *
     * @throws FormatException if there is none
     */
    public LocalState decodeLocalState(byte[] bytes) {
        Merging merging = Merging.here();
        return (LocalState)
            LargeStack.call(levels -> new Decoder(plans, bytes, levels, merging).readLocalState()).result();
    }
}
