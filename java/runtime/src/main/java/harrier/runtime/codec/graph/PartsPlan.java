package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Tag;
import java.lang.reflect.AccessibleObject;
import java.util.List;
import java.util.function.Function;

/**
 * A class by some named parts that a constructor or factory takes: what its fields hold is of no use to others, or
 * depends on how it came about. A class with one instance needs none.
 *
 * @param <T> the class
 */
public final class PartsPlan<T> extends Plan {
    private final Class<T> exact;
    private final int tag;
    private final byte[][] names;
    private final String[] labels;
    private final byte[] head;
    private final byte[] count;
    private final Function<T, Object[]> parts;
    private final Function<Object[], T> maker;

    /**
     * A plan.
     *
     * @param tag {@link Tag#RECORD} for immutable values, which are compared by content alone, else {@link Tag#OBJECT}
     * @param labels the names of the parts
     * @param parts takes a value apart, into strings and boxed values
     * @param maker makes a value of such parts, or throws a {@code RuntimeException}
     */
    public PartsPlan(Class<T> type, int tag, List<String> labels, Function<T, Object[]> parts, Function<Object[], T> maker) {
        this(type, type.getName(), tag, labels, parts, maker);
    }

    /** A plan that writes another name than the class's own. */
    public PartsPlan(Class<T> type, String name, int tag, List<String> labels, Function<T, Object[]> parts, Function<Object[], T> maker) {
        super(type);
        exact = type;
        this.tag = tag;
        this.labels = labels.toArray(new String[0]);
        this.parts = parts;
        this.maker = maker;
        names = labels.stream().map(Output::encoded).toArray(byte[][]::new);
        Output out = new Output();
        out.varint(names.length);
        count = out.toBytes();
        out = new Output();
        out.string(name);
        out.raw(count);
        head = out.toBytes();
    }

    /** The plan of a class with one instance. */
    public static <T> Plan only(Class<T> type, Object instance) {
        return new PartsPlan<>(type, Tag.RECORD, List.of(), value -> new Object[0], none -> type.cast(instance));
    }

    @Override
    public void write(Encoder e, Object value) {
        if (tag == Tag.OBJECT && e.known(value, this)) {
            return;
        }
        Object[] all;
        try {
            all = parts.apply(exact.cast(value));
        } catch (IllegalStateException refused) {
            throw e.refuse(type, refused.getMessage());
        }
        e.out.u8(tag);
        e.out.raw(head);
        for (int i = 0; i < all.length; i++) {
            e.out.raw(names[i]);
            e.field(labels[i]);
            e.write(all[i]);
        }
    }

    @Override
    public Object read(Decoder d, int tag) {
        expect(d, tag, this.tag);
        int number = tag == Tag.OBJECT ? d.reserve() : -1;
        if (!d.in.skip(count)) {
            throw d.in.bad("another count of fields than " + type.getName() + " has");
        }
        Object[] all = new Object[names.length];
        for (int i = 0; i < all.length; i++) {
            if (!d.in.skip(names[i])) {
                throw d.in.bad("another field than " + labels[i] + " of " + type.getName());
            }
            all[i] = d.read();
        }
        Object value;
        try {
            value = maker.apply(all);
        } catch (RuntimeException e) {
            throw d.in.bad("no " + type.getName());
        }
        if (number >= 0) {
            d.define(number, value);
            d.finish(number);
        }
        return value;
    }

    @Override
    protected boolean keepsIdentity() {
        return tag == Tag.OBJECT;
    }

    @Override
    protected boolean canChange() {
        return names.length > 0;
    }

    /** A method can be made accessible. */
    @Override
    protected boolean omits() {
        return AccessibleObject.class.isAssignableFrom(type);
    }
}
