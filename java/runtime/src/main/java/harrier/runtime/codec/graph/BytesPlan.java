package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Tag;
import java.util.Arrays;

/** {@code byte[]}. */
public final class BytesPlan extends Plan {
    public BytesPlan() {
        super(byte[].class);
    }

    @Override
    public void write(Encoder e, Object value) {
        if (!e.known(value, this)) {
            byte[] bytes = (byte[]) value;
            e.out.u8(Tag.BYTES);
            e.out.varint(bytes.length);
            e.out.raw(bytes);
        }
    }

    @Override
    public Object read(Decoder d, int tag) {
        expect(d, tag, Tag.BYTES);
        int number = d.reserve();
        byte[] bytes = d.in.raw();
        d.define(number, bytes);
        d.finish(number);
        return bytes;
    }

    @Override
    protected int hash(Object value) {
        return Arrays.hashCode((byte[]) value);
    }
}
