package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.Plan;
import java.util.BitSet;

/** Bit sets: lists of the numbers of the bits that are set, ascending. */
final class BitSetPlan extends Plan {
    private final byte[] name = Output.encoded(BitSet.class.getName());

    BitSetPlan() {
        super(BitSet.class);
    }

    @Override
    public void write(Encoder e, Object value) {
        if (e.known(value, this)) {
            return;
        }
        BitSet bits = (BitSet) value;
        e.out.u8(Tag.LIST);
        e.out.raw(name);
        e.field("parameter");
        e.write(null);
        e.out.varint(bits.cardinality());
        for (int i = bits.nextSetBit(0); i >= 0; i = bits.nextSetBit(i + 1)) {
            e.roomFor(int.class);
            e.out.u8(Tag.INT);
            e.out.zigzag(i);
            if (i == Integer.MAX_VALUE) {
                break;
            }
        }
    }

    @Override
    public Object read(Decoder d, int tag) {
        expect(d, tag, Tag.LIST);
        int number = d.reserve();
        BitSet bits = new BitSet();
        d.define(number, bits);
        d.nothing();
        for (int n = d.in.count(); n > 0; n--) {
            if (!(d.read() instanceof Integer i) || i < 0) {
                throw d.in.bad("no number of a bit");
            }
            bits.set(i);
        }
        d.finish(number);
        return bits;
    }

    @Override
    protected int hash(Object value) {
        return value.hashCode();
    }
}
