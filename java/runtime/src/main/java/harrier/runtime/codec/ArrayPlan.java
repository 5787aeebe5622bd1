package harrier.runtime.codec;

import java.lang.reflect.Array;

/** Arrays of every type but {@code byte[]}. */
final class ArrayPlan extends Plan {
    private final Class<?> component;
    private final char kind;
    private final byte[] name;
    private final long base;
    private final long scale;

    ArrayPlan(Class<?> type) {
        super(type);
        component = type.getComponentType();
        kind = Slot.kind(component);
        name = Output.encoded(component.getName());
        base = Slot.arrayBase(type);
        scale = Slot.UNSAFE.arrayIndexScale(type);
    }

    @Override
    void write(Encoder e, Object array) {
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
    Object read(Decoder d, int tag) {
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
    int hash(Object array) {
        return super.hash(array) + Array.getLength(array);
    }
}
