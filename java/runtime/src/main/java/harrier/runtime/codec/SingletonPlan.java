package harrier.runtime.codec;

/** A class of the JDK with one instance. Written as an object without fields, read as that instance. */
final class SingletonPlan extends Plan {
    private final Object instance;
    private final byte[] name;

    SingletonPlan(Object instance) {
        super(instance.getClass());
        this.instance = instance;
        name = Output.encoded(type.getName());
    }

    @Override
    void write(Encoder e, Object value) {
        if (!e.known(value, this)) {
            e.out.u8(Tag.OBJECT);
            e.out.raw(name);
            e.out.varint(0);
        }
    }

    @Override
    boolean canChange() {
        return false;
    }

    @Override
    Object read(Decoder d, int tag) {
        expect(d, tag, Tag.OBJECT);
        int number = d.reserve();
        d.define(number, instance);
        d.finish(number);
        if (d.in.count() != 0) {
            throw d.in.bad("fields of " + type.getName());
        }
        return instance;
    }
}
