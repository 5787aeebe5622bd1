package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.Plan;
import java.util.function.IntFunction;

/**
 * A class of collections or maps of the JDK that has a tag of its own: written are the name of the class, its {@link Parameter} and its
 * content.
 *
 * @param <C> {@code Collection} or {@code Map}
 */
abstract class ContentPlan<C> extends Plan {
    /** How elements get into a collection, and entries into a map, that is decoded. */
    enum Style {
        /** At once: nothing of the program's runs. */
        AT_ONCE,
        /** At once, in the order of the encoding, without comparing. */
        SORTED,
        /** At once, to the places in a heap that the encoding gives them, without comparing. */
        HEAP,
        /** When all objects are complete, in the order of the encoding. */
        LATER,
        /** Likewise, but nothing depends on that order. */
        HASHED
    }

    final Style style;
    private final int tag;
    private final Parameter parameter;
    private final IntFunction<C> maker;
    private final byte[] name;

    /**
     * A plan.
     *
     * @param tag the tag of the encoding
     * @param maker makes an empty one with room for some elements, or of a capacity
     */
    ContentPlan(Class<?> type, int tag, Style style, Parameter parameter, IntFunction<C> maker) {
        super(type);
        this.tag = tag;
        this.style = style;
        this.parameter = parameter;
        this.maker = maker;
        name = Output.encoded(type.getName());
    }

    @Override
    @SuppressWarnings("unchecked")
    public final void write(Encoder e, Object value) {
        if (e.known(value, this)) {
            return;
        }
        e.out.u8(tag);
        e.out.raw(name);
        parameter.write(e, value);
        writeContent(e, (C) value);
    }

    @Override
    public final Object read(Decoder d, int given) {
        expect(d, given, tag);
        int number = d.reserve();
        C content = null;
        switch (parameter) {
            case NONE, IDENTITY -> d.nothing();
            case CAPACITY -> content = maker.apply(Parameter.readCapacity(d));
            case ACCESS_ORDER -> {
                content = maker.apply(0);
                Parameter.readAccessOrder(d, content);
            }
            case COMPARATOR -> {
                content = maker.apply(0);
                d.define(number, content);
                Parameter.readComparator(d, content);
            }
            case KEY_CLASS -> content = emptyOf(Parameter.readKeyClass(d));
        }
        int n = d.in.count();
        if (content == null) {
            content = maker.apply(n);
        }
        d.define(number, content);
        readContent(d, content, n);
        d.finish(number);
        return content;
    }

    /** Writes how many elements or entries there are, and these. */
    abstract void writeContent(Encoder e, C value);

    /** Reads a number of elements or entries into an empty collection or map. */
    abstract void readContent(Decoder d, C content, int n);

    /** One for constants of an enum. */
    abstract C emptyOf(Class<?> key);
}
