package harrier.runtime.rules;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.Held;
import harrier.runtime.codec.NotCapturableException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Objects;
import jdk.internal.misc.Unsafe;

/** A static field, or a field of an enum constant, with what it held when that was noted. */
final class Cell {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private final Class<?> owner;
    private final Field field;
    private final Object base;
    private final long offset;
    private Object value;
    /** The encoding of the value, if it may change; null if it cannot, or if it cannot be captured. */
    private byte[] content;
    private HeapCopy copy;

    private Cell(Class<?> owner, Field field, Object base, long offset) {
        this.owner = owner;
        this.field = field;
        this.base = base;
        this.offset = offset;
    }

    /** A static field. */
    static Cell of(Class<?> owner, Field field) {
        return new Cell(owner, field, UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
    }

    /** A field of one of the class's enum constants. */
    static Cell of(Class<?> owner, Object constant, Field field) {
        return new Cell(owner, field, constant, UNSAFE.objectFieldOffset(field));
    }

    boolean isOf(Class<?> type) {
        return owner == type;
    }

    /** The field as it is called where it is written: {@code Outer.Inner.field}. */
    String name() {
        String type = owner.getName();
        return type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + "." + field.getName();
    }

    /** Notes what the field holds, and says whether that may change. */
    boolean keep(Codec codec) {
        value = get();
        content = null;
        copy = null;
        if (!field.getType().isPrimitive() && value != null) {
            try {
                content = codec.isConstant(value) ? null : codec.encode(value);
            } catch (NotCapturableException e) {
                // What it is, is all that can be told.
            }
        }
        if (content != null) {
            copy = new HeapCopy(value);
        }
        return content != null || !Modifier.isFinal(field.getModifiers());
    }

    /** Notes the objects behind the field. */
    void hold(Codec codec, Held held) {
        if (!field.getType().isPrimitive()) {
            codec.hold(name(), get(), held);
        }
    }

    /** Whether the field holds something else than was noted. */
    boolean isChanged(Codec codec) {
        Object now = get();
        if (field.getType().isPrimitive() ? !Objects.equals(now, value) : now != value) {
            return true;
        }
        try {
            return content != null && !Arrays.equals(content, codec.encode(now));
        } catch (NotCapturableException e) {
            return true;
        }
    }

    /** Makes the field hold what was noted. */
    void putBack() {
        if (!Modifier.isFinal(field.getModifiers())) {
            put();
        }
        if (copy != null) {
            copy.putBack();
        }
    }

    Object get() {
        return Memory.get(field.getType(), base, offset);
    }

    private void put() {
        Memory.put(field.getType(), base, offset, value);
    }
}
