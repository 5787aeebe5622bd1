package harrier.runtime.rules.statics;

import harrier.runtime.codec.format.Raw;
import harrier.runtime.jdk.JdkState;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import jdk.internal.misc.Unsafe;

/**
 * Where the fields of a class's objects are. Objects are copied, and compared with their copies, after each step, so that
 * does not look at what a field is called or declared to be.
 */
final class Layout {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final ClassValue<Layout> LAYOUTS = new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> type) {
            return new Layout(type);
        }
    };

    /** What the elements of arrays are; null for other classes. */
    private final Class<?> component;
    /** Where references are. */
    private final long[] references;
    /** Where primitive values are, and of how many bytes. */
    private final long[] primitives;
    private final int[] sizes;

    private Layout(Class<?> type) {
        component = type.getComponentType();
        List<Field> fields = new ArrayList<>();
        for (Class<?> c = component == null ? type : null; c != null; c = c.getSuperclass()) {
            Class<?> declaring = c;
            Arrays.stream(Raw.fields(c)).filter(f -> !Modifier.isStatic(f.getModifiers())
                && !JdkState.isUnchanged(declaring, f.getName())).forEach(fields::add);
        }
        references = offsets(fields, false);
        primitives = offsets(fields, true);
        sizes = fields.stream().map(Field::getType).filter(Class::isPrimitive).mapToInt(Layout::size).toArray();
    }

    private static long[] offsets(List<Field> fields, boolean isPrimitive) {
        return fields.stream().filter(f -> f.getType().isPrimitive() == isPrimitive).mapToLong(UNSAFE::objectFieldOffset)
            .toArray();
    }

    private static int size(Class<?> primitive) {
        if (primitive == long.class || primitive == double.class) {
            return Long.BYTES;
        } else if (primitive == int.class || primitive == float.class) {
            return Integer.BYTES;
        }
        return primitive == short.class || primitive == char.class ? Short.BYTES : Byte.BYTES;
    }

    static Layout of(Class<?> type) {
        return LAYOUTS.get(type);
    }

    /** Reports whether objects hold nothing that is compared. */
    boolean isEmpty() {
        return component == null && references.length + primitives.length == 0;
    }

    /** What objects hold, one after the other. */
    static final class Contents {
        private Object[] references = {};
        private long[] primitives = {};
        private int referenceCount;
        private int primitiveCount;

        private void add(Object reference) {
            if (referenceCount == references.length) {
                references = Arrays.copyOf(references, referenceCount * 2 + 4);
            }
            references[referenceCount++] = reference;
        }

        private void add(long primitive) {
            if (primitiveCount == primitives.length) {
                primitives = Arrays.copyOf(primitives, primitiveCount * 2 + 4);
            }
            primitives[primitiveCount++] = primitive;
        }

        /** Reads it in the order in which it was written. */
        Reader reader() {
            return new Reader();
        }

        /** A place up to which it was read. */
        final class Reader {
            private int reference;
            private int primitive;

            private Object reference() {
                return references[reference++];
            }

            private long primitive() {
                return primitives[primitive++];
            }
        }
    }

    /** Hands on the objects that an object refers to. */
    void eachReference(Object object, Consumer<Object> to) {
        if (object instanceof Object[] array) {
            Arrays.stream(array).filter(o -> o != null).forEach(to);
        }
        for (long offset : references) {
            Object value = UNSAFE.getReferenceVolatile(object, offset);
            if (value != null) {
                to.accept(value);
            }
        }
    }

    /** Adds what an object holds. */
    void copy(Object object, Contents into) {
        if (component != null) {
            Object clone = Array.newInstance(component, Array.getLength(object));
            System.arraycopy(object, 0, clone, 0, Array.getLength(object));
            into.add(clone);
            return;
        }
        for (long offset : references) {
            into.add(UNSAFE.getReferenceVolatile(object, offset));
        }
        for (int i = 0; i < primitives.length; i++) {
            into.add(get(object, i));
        }
    }

    /** Reports whether an object still has the copied content, all of which is read. */
    boolean isSame(Object object, Contents.Reader before) {
        if (component != null) {
            return isSameArray(object, before.reference());
        }
        boolean isSame = true;
        for (long offset : references) {
            isSame &= UNSAFE.getReference(object, offset) == before.reference();
        }
        for (int i = 0; i < primitives.length; i++) {
            isSame &= get(object, i) == before.primitive();
        }
        return isSame;
    }

    /** Reports whether two arrays of one length hold the same objects, or the same bits. */
    private static boolean isSameArray(Object now, Object before) {
        if (now instanceof Object[] objects) {
            Object[] others = (Object[]) before;
            for (int i = 0; i < objects.length; i++) {
                if (objects[i] != others[i]) {
                    return false;
                }
            }
            return true;
        } else if (now instanceof byte[] a) {
            return Arrays.equals(a, (byte[]) before);
        } else if (now instanceof int[] a) {
            return Arrays.equals(a, (int[]) before);
        } else if (now instanceof long[] a) {
            return Arrays.equals(a, (long[]) before);
        } else if (now instanceof char[] a) {
            return Arrays.equals(a, (char[]) before);
        } else if (now instanceof boolean[] a) {
            return Arrays.equals(a, (boolean[]) before);
        } else if (now instanceof short[] a) {
            return Arrays.equals(a, (short[]) before);
        } else if (now instanceof double[] a) {
            double[] b = (double[]) before;
            return IntStream.range(0, a.length).allMatch(i -> Double.doubleToRawLongBits(a[i]) == Double.doubleToRawLongBits(b[i]));
        }
        float[] a = (float[]) now;
        float[] b = (float[]) before;
        return IntStream.range(0, a.length).allMatch(i -> Float.floatToRawIntBits(a[i]) == Float.floatToRawIntBits(b[i]));
    }

    /** Restores the copied content of an object. */
    void putBack(Object object, Contents.Reader before) {
        if (component != null) {
            System.arraycopy(before.reference(), 0, object, 0, Array.getLength(object));
            return;
        }
        for (long offset : references) {
            UNSAFE.putReferenceVolatile(object, offset, before.reference());
        }
        for (int i = 0; i < primitives.length; i++) {
            put(object, i, before.primitive());
        }
        if (object instanceof StringBuffer buffer) {
            buffer.setLength(buffer.length()); // so that it forgets its toStringCache, which is of what it held meanwhile
        }
    }

    /** The bits of a primitive value. */
    private long get(Object object, int i) {
        long offset = primitives[i];
        return switch (sizes[i]) {
            case Long.BYTES -> UNSAFE.getLong(object, offset);
            case Integer.BYTES -> UNSAFE.getInt(object, offset);
            case Short.BYTES -> UNSAFE.getShort(object, offset);
            default -> UNSAFE.getByte(object, offset);
        };
    }

    private void put(Object object, int i, long bits) {
        long offset = primitives[i];
        switch (sizes[i]) {
            case Long.BYTES -> UNSAFE.putLong(object, offset, bits);
            case Integer.BYTES -> UNSAFE.putInt(object, offset, (int) bits);
            case Short.BYTES -> UNSAFE.putShort(object, offset, (short) bits);
            default -> UNSAFE.putByte(object, offset, (byte) bits);
        }
    }
}
