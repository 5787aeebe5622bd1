package harrier.runtime.rules.statics;

import jdk.internal.misc.Unsafe;

/** Reads and writes fields, whatever they are declared to be. */
final class Memory {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private Memory() {}

    static Object get(Class<?> type, Object base, long offset) {
        if (type == int.class) {
            return UNSAFE.getIntVolatile(base, offset);
        } else if (type == long.class) {
            return UNSAFE.getLongVolatile(base, offset);
        } else if (type == boolean.class) {
            return UNSAFE.getBooleanVolatile(base, offset);
        } else if (type == byte.class) {
            return UNSAFE.getByteVolatile(base, offset);
        } else if (type == short.class) {
            return UNSAFE.getShortVolatile(base, offset);
        } else if (type == char.class) {
            return UNSAFE.getCharVolatile(base, offset);
        } else if (type == float.class) {
            return UNSAFE.getFloatVolatile(base, offset);
        } else if (type == double.class) {
            return UNSAFE.getDoubleVolatile(base, offset);
        }
        return UNSAFE.getReferenceVolatile(base, offset);
    }

    static void put(Class<?> type, Object base, long offset, Object value) {
        if (type == int.class) {
            UNSAFE.putIntVolatile(base, offset, (Integer) value);
        } else if (type == long.class) {
            UNSAFE.putLongVolatile(base, offset, (Long) value);
        } else if (type == boolean.class) {
            UNSAFE.putBooleanVolatile(base, offset, (Boolean) value);
        } else if (type == byte.class) {
            UNSAFE.putByteVolatile(base, offset, (Byte) value);
        } else if (type == short.class) {
            UNSAFE.putShortVolatile(base, offset, (Short) value);
        } else if (type == char.class) {
            UNSAFE.putCharVolatile(base, offset, (Character) value);
        } else if (type == float.class) {
            UNSAFE.putFloatVolatile(base, offset, (Float) value);
        } else if (type == double.class) {
            UNSAFE.putDoubleVolatile(base, offset, (Double) value);
        } else {
            UNSAFE.putReferenceVolatile(base, offset, value);
        }
    }
}
