package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.FieldsPlan;
import harrier.runtime.codec.graph.Fill;
import harrier.runtime.codec.graph.Plan;
import harrier.runtime.codec.graph.Slot;
import harrier.runtime.codec.graph.Slots;
import harrier.runtime.jdk.JdkFields;
import java.util.List;

/**
 * A class of the program that extends a collection of the JDK: an object whose first field is what it inherits, as a
 * collection of the JDK's class, before the fields that it adds. The methods that it overrides do not run.
 */
public final class InheritedPlan extends Plan {
    private final Class<?> base;
    private final Slot[] inherited;
    private final Slot[] own;
    private final byte[] head;
    private final byte[] count;
    private final String content;
    private final byte[] contentName;

    public InheritedPlan(Class<?> type, Class<?> base, List<Slot> own) {
        super(type);
        this.base = base;
        this.own = own.toArray(new Slot[0]);
        inherited = Slots.all(base).stream().filter(s -> !JdkFields.VIEWS.contains(s.name)).toArray(Slot[]::new);
        Output out = new Output();
        out.varint(own.size() + 1);
        count = out.toBytes();
        out = new Output();
        out.string(type.getName());
        out.raw(count);
        head = out.toBytes();
        String simple = base.getSimpleName();
        content = own.stream().anyMatch(s -> s.name.equals(simple)) ? base.getName() : simple;
        contentName = Output.encoded(content);
    }

    @Override
    public void write(Encoder e, Object value) {
        if (e.known(value, this)) {
            return;
        }
        e.out.u8(Tag.OBJECT);
        e.out.raw(head);
        e.out.raw(contentName);
        e.field(content);
        e.write(inheritedFrom(value));
        FieldsPlan.writeSlots(e, value, own);
    }

    /** A collection of the JDK's class with the same content. */
    private Object inheritedFrom(Object value) {
        Object copy = allocate(base);
        copy(value, copy);
        return copy;
    }

    private void copy(Object from, Object to) {
        for (Slot slot : inherited) {
            slot.copy(from, to);
        }
    }

    @Override
    public Object read(Decoder d, int tag) {
        expect(d, tag, Tag.OBJECT);
        int number = d.reserve();
        Object value = allocate(type);
        d.define(number, value);
        if (!d.in.skip(count) || !d.in.skip(contentName)) {
            throw d.in.bad("other fields than " + type.getName() + " has");
        }
        Object collection = d.read();
        if (collection == null || collection.getClass() != base) {
            throw d.in.bad("another class than " + base.getName());
        }
        copy(collection, value); // so that values read next find a collection, if an empty one
        FieldsPlan.readSlots(d, value, own, type);
        d.later(new Fill(new Object[0]) {
            @Override
            protected void fill() {
                copy(collection, value);
            }
        });
        d.finish(number);
        return value;
    }

    private static Object allocate(Class<?> type) {
        try {
            return Raw.UNSAFE.allocateInstance(type);
        } catch (InstantiationException e) {
            throw new IllegalStateException(e);
        }
    }
}
