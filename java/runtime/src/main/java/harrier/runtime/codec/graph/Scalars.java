package harrier.runtime.codec.graph;

import harrier.ActorName;
import harrier.Hosting;
import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Tag;

/** The values that hold no others, and have tags of their own: numbers, booleans, characters, strings and actors' names. */
final class Scalars {
    private Scalars() {}

    /** Writes a value if it is a scalar, and reports whether it is. */
    static boolean write(Output out, Class<?> type, Object value) {
        if (type == String.class) {
            out.stringValue((String) value);
        } else if (type == Integer.class) {
            out.u8(Tag.INT);
            out.zigzag((Integer) value);
        } else if (type == ActorName.class) {
            out.u8(Tag.NAME);
            out.string(Hosting.text((ActorName) value));
        } else if (type == Boolean.class) {
            out.u8((Boolean) value ? Tag.TRUE : Tag.FALSE);
        } else if (type == Long.class) {
            out.u8(Tag.LONG);
            out.zigzag((Long) value);
        } else {
            return writeRare(out, type, value);
        }
        return true;
    }

    private static boolean writeRare(Output out, Class<?> type, Object value) {
        if (type == Byte.class) {
            out.u8(Tag.BYTE);
            out.zigzag((Byte) value);
        } else if (type == Short.class) {
            out.u8(Tag.SHORT);
            out.zigzag((Short) value);
        } else if (type == Character.class) {
            out.u8(Tag.CHAR);
            out.varint((Character) value);
        } else if (type == Float.class) {
            out.u8(Tag.FLOAT);
            out.big4(Float.floatToRawIntBits((Float) value));
        } else if (type == Double.class) {
            out.u8(Tag.DOUBLE);
            out.big8(Double.doubleToRawLongBits((Double) value));
        } else {
            return false;
        }
        return true;
    }
}
