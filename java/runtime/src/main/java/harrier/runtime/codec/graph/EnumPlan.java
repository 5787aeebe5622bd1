package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Input;
import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Tag;

/** The constants of an enum, whether or not they have bodies. Their fields are static state, not captured. */
public final class EnumPlan extends Plan {
    private final Object[] constants;
    private final byte[] className;
    private final byte[][] names;

    public EnumPlan(Class<?> type) {
        super(type);
        constants = type.getEnumConstants();
        className = Output.encoded(type.getName());
        names = new byte[constants.length][];
        for (int i = 0; i < names.length; i++) {
            names[i] = Output.encoded(((Enum<?>) constants[i]).name());
        }
    }

    @Override
    public void write(Encoder e, Object value) {
        e.out.u8(Tag.ENUM);
        e.out.raw(className);
        e.out.raw(names[((Enum<?>) value).ordinal()]);
    }

    @Override
    public Object read(Decoder d, int tag) {
        throw d.in.bad("tag " + Integer.toHexString(tag) + " for an enum");
    }

    /** The constant whose name comes next; null if that is no constant's. */
    Object find(Input in) {
        for (int i = 0; i < names.length; i++) {
            if (in.skip(names[i])) {
                return constants[i];
            }
        }
        return null;
    }
}
