package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Input;
import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import java.lang.reflect.Field;

/** A field: where it is in an object, its name in the encoding, and its type. */
public final class Slot {
    /** The tag of each primitive kind but boolean. */
    private static final int[] TAGS = new int['Z'];

    static {
        TAGS['B'] = Tag.BYTE;
        TAGS['S'] = Tag.SHORT;
        TAGS['I'] = Tag.INT;
        TAGS['J'] = Tag.LONG;
        TAGS['C'] = Tag.CHAR;
        TAGS['F'] = Tag.FLOAT;
        TAGS['D'] = Tag.DOUBLE;
    }

    public final Field field;
    public final String name;
    final byte[] encodedName;
    final Class<?> type;
    public final long offset;
    public final char kind;

    Slot(Field field, String name) {
        this.field = field;
        this.name = name;
        encodedName = Output.encoded(name);
        type = field.getType();
        offset = Raw.UNSAFE.objectFieldOffset(field);
        kind = kind(type);
    }

    /** Copies what the field holds. */
    public void copy(Object from, Object to) {
        switch (kind) {
            case 'L' -> Raw.UNSAFE.putReference(to, offset, Raw.UNSAFE.getReference(from, offset));
            case 'I', 'F' -> Raw.UNSAFE.putInt(to, offset, Raw.UNSAFE.getInt(from, offset));
            case 'J', 'D' -> Raw.UNSAFE.putLong(to, offset, Raw.UNSAFE.getLong(from, offset));
            case 'S', 'C' -> Raw.UNSAFE.putShort(to, offset, Raw.UNSAFE.getShort(from, offset));
            case 'B', 'Z' -> Raw.UNSAFE.putByte(to, offset, Raw.UNSAFE.getByte(from, offset));
            default -> throw new AssertionError(name);
        }
    }

    /** What a place of this type holds, as one letter. */
    static char kind(Class<?> type) {
        return type.isPrimitive() ? type.descriptorString().charAt(0) : 'L';
    }

    /** Writes the value at {@code offset} of {@code holder}. */
    static void write(Encoder e, Object holder, long offset, char kind) {
        Output out = e.out;
        switch (kind) {
            case 'L' -> e.write(Raw.UNSAFE.getReference(holder, offset));
            case 'Z' -> out.u8(Raw.UNSAFE.getBoolean(holder, offset) ? Tag.TRUE : Tag.FALSE);
            case 'B' -> number(out, Tag.BYTE, Raw.UNSAFE.getByte(holder, offset));
            case 'S' -> number(out, Tag.SHORT, Raw.UNSAFE.getShort(holder, offset));
            case 'I' -> number(out, Tag.INT, Raw.UNSAFE.getInt(holder, offset));
            case 'J' -> number(out, Tag.LONG, Raw.UNSAFE.getLong(holder, offset));
            case 'C' -> {
                out.u8(Tag.CHAR);
                out.varint(Raw.UNSAFE.getChar(holder, offset));
            }
            case 'F' -> {
                out.u8(Tag.FLOAT);
                out.big4(Raw.UNSAFE.getInt(holder, offset)); // the raw bits, whatever NaN it is
            }
            case 'D' -> {
                out.u8(Tag.DOUBLE);
                out.big8(Raw.UNSAFE.getLong(holder, offset));
            }
            default -> throw new AssertionError(kind);
        }
    }

    private static void number(Output out, int tag, long n) {
        out.u8(tag);
        out.zigzag(n);
    }

    /** Reads a value into {@code offset} of {@code holder}; a reference must be of type {@code type}. */
    static void read(Decoder d, Object holder, long offset, char kind, Class<?> type) {
        if (kind == 'L') {
            Object value = d.read();
            if (value != null && value.getClass() != type && !type.isInstance(value)) {
                throw d.in.bad(value.getClass().getName() + " where " + type.getName() + " is due");
            }
            Raw.UNSAFE.putReference(holder, offset, value);
            return;
        }
        readPrimitive(d.in, holder, offset, kind);
    }

    private static void readPrimitive(Input in, Object holder, long offset, char kind) {
        int tag = in.u8();
        if (kind == 'Z' ? tag != Tag.FALSE && tag != Tag.TRUE : tag != TAGS[kind]) {
            throw in.bad("tag " + Integer.toHexString(tag) + " where a primitive value is due");
        }
        switch (kind) {
            case 'Z' -> Raw.UNSAFE.putBoolean(holder, offset, tag == Tag.TRUE);
            case 'B' -> Raw.UNSAFE.putByte(holder, offset, (byte) in.zigzag(8));
            case 'S' -> Raw.UNSAFE.putShort(holder, offset, (short) in.zigzag(16));
            case 'I' -> Raw.UNSAFE.putInt(holder, offset, (int) in.zigzag(32));
            case 'J' -> Raw.UNSAFE.putLong(holder, offset, in.zigzag(64));
            case 'C' -> Raw.UNSAFE.putChar(holder, offset, in.unit());
            case 'F' -> Raw.UNSAFE.putInt(holder, offset, in.big4());
            case 'D' -> Raw.UNSAFE.putLong(holder, offset, in.big8());
            default -> throw new AssertionError(kind);
        }
    }
}
