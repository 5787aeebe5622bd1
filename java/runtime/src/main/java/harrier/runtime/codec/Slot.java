package harrier.runtime.codec;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/** A field: where it is in an object, its name in the encoding, and what it holds. */
final class Slot {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** Finds what the JDK keeps to itself, too. */
    static final MethodHandles.Lookup LOOKUP = lookup();
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

    final Field field;
    final String name;
    final byte[] encodedName;
    final Class<?> type;
    final long offset;
    final char kind;

    Slot(Field field, String name) {
        this.field = field;
        this.name = name;
        encodedName = Output.encoded(name);
        type = field.getType();
        offset = UNSAFE.objectFieldOffset(field);
        kind = kind(type);
    }

    private static MethodHandles.Lookup lookup() {
        try {
            UNSAFE.ensureClassInitialized(MethodHandles.Lookup.class);
            return (MethodHandles.Lookup) Constants.get(MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP"));
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where the first element of an array is. By reflection: the JDK's method gives an int or a long, by its version. */
    static long arrayBase(Class<?> type) {
        try {
            return ((Number) Unsafe.class.getMethod("arrayBaseOffset", Class.class).invoke(UNSAFE, type)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Copies what the field holds. */
    void copy(Object from, Object to) {
        switch (kind) {
            case 'L' -> UNSAFE.putReference(to, offset, UNSAFE.getReference(from, offset));
            case 'I', 'F' -> UNSAFE.putInt(to, offset, UNSAFE.getInt(from, offset));
            case 'J', 'D' -> UNSAFE.putLong(to, offset, UNSAFE.getLong(from, offset));
            case 'S', 'C' -> UNSAFE.putShort(to, offset, UNSAFE.getShort(from, offset));
            case 'B', 'Z' -> UNSAFE.putByte(to, offset, UNSAFE.getByte(from, offset));
            default -> throw new AssertionError(name);
        }
    }

    /** What a place of this type holds, as one letter. */
    static char kind(Class<?> type) {
        return type.isPrimitive() ? type.descriptorString().charAt(0) : 'L';
    }

    /** Writes what is at {@code offset} of {@code holder}. */
    static void write(Encoder e, Object holder, long offset, char kind) {
        Output out = e.out;
        switch (kind) {
            case 'L' -> e.write(UNSAFE.getReference(holder, offset));
            case 'Z' -> out.u8(UNSAFE.getBoolean(holder, offset) ? Tag.TRUE : Tag.FALSE);
            case 'B' -> number(out, Tag.BYTE, UNSAFE.getByte(holder, offset));
            case 'S' -> number(out, Tag.SHORT, UNSAFE.getShort(holder, offset));
            case 'I' -> number(out, Tag.INT, UNSAFE.getInt(holder, offset));
            case 'J' -> number(out, Tag.LONG, UNSAFE.getLong(holder, offset));
            case 'C' -> {
                out.u8(Tag.CHAR);
                out.varint(UNSAFE.getChar(holder, offset));
            }
            case 'F' -> {
                out.u8(Tag.FLOAT);
                out.big4(UNSAFE.getInt(holder, offset)); // the raw bits, whatever NaN it is
            }
            case 'D' -> {
                out.u8(Tag.DOUBLE);
                out.big8(UNSAFE.getLong(holder, offset));
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
            UNSAFE.putReference(holder, offset, value);
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
            case 'Z' -> UNSAFE.putBoolean(holder, offset, tag == Tag.TRUE);
            case 'B' -> UNSAFE.putByte(holder, offset, (byte) in.zigzag(8));
            case 'S' -> UNSAFE.putShort(holder, offset, (short) in.zigzag(16));
            case 'I' -> UNSAFE.putInt(holder, offset, (int) in.zigzag(32));
            case 'J' -> UNSAFE.putLong(holder, offset, in.zigzag(64));
            case 'C' -> UNSAFE.putChar(holder, offset, in.unit());
            case 'F' -> UNSAFE.putInt(holder, offset, in.big4());
            case 'D' -> UNSAFE.putLong(holder, offset, in.big8());
            default -> throw new AssertionError(kind);
        }
    }
}
