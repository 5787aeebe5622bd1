package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import java.lang.reflect.Array;

/** Arrays of every type but {@code byte[]}. */
public final class ArrayPlan extends Plan {
    private final Class<?> component;
    private final char kind;
    private final byte[] name;
    private final long base;
    private final long scale;

    public ArrayPlan(Class<?> type) {
        super(type);
        component = type.getComponentType();
        kind = Slot.kind(component);
        name = Output.encoded(component.getName());
        base = Raw.arrayBase(type);
        scale = Raw.UNSAFE.arrayIndexScale(type);
    }

    @Override
    public void write(Encoder e, Object array) {
        if (e.known(array, this)) {
            return;
        }
        int n = Array.getLength(array);
        e.out.u8(Tag.ARRAY);
        e.out.raw(name);
        e.out.varint(n);
        for (int i = 0; i < n; i++) {
            e.element(i);
            if (kind != 'L') {
                e.roomFor(component);
            }
            Slot.write(e, array, base + i * scale, kind);
        }
    }

    @Override
    public Object read(Decoder d, int tag) {
        expect(d, tag, Tag.ARRAY);
        int number = d.reserve();
        int n = d.in.count();
        Object array = Array.newInstance(component, n);
        d.define(number, array);
        for (int i = 0; i < n; i++) {
            Slot.read(d, array, base + i * scale, kind, component);
        }
        d.finish(number);
        return array;
    }

    @Override
    protected int hash(Object array) {
        return super.hash(array) + Array.getLength(array);
    }
}
