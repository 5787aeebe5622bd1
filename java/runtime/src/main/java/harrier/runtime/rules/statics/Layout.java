package harrier.runtime.rules.statics;

import harrier.runtime.codec.format.Raw;
import harrier.runtime.jdk.JdkState;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
    /** Where eight bytes with primitive values in them are, and which of their bits are those. */
    private final long[] words;
    private final long[] masks;
    private final List<Primitive> primitives = new ArrayList<>();
    /** Whether objects have a cache of what others hold, which hold that again after they were put back. */
    private final boolean isBuffer;

    /**
     * A primitive value of some bytes.
     *
     * @param word the index of the eight bytes that it is in
     * @param shift how many of their bits are below it
     */
    private record Primitive(long offset, int size, int word, int shift) {}

    private Layout(Class<?> type) {
        component = type.getComponentType();
        isBuffer = type == StringBuffer.class;
        List<Field> fields = new ArrayList<>();
        for (Class<?> c = component == null ? type : null; c != null; c = c.getSuperclass()) {
            Class<?> declaring = c;
            Arrays.stream(Raw.fields(c)).filter(f -> !Modifier.isStatic(f.getModifiers())
                && !JdkState.isUnchanged(declaring, f.getName())).forEach(fields::add);
        }
        references = fields.stream().filter(f -> !f.getType().isPrimitive()).mapToLong(UNSAFE::objectFieldOffset).toArray();
        SortedMap<Long, Long> bits = new TreeMap<>();
        fields.stream().filter(f -> f.getType().isPrimitive()).forEach(f -> bits.merge(word(f), mask(f), (x, y) -> x | y));
        words = bits.keySet().stream().mapToLong(w -> w).toArray();
        masks = bits.values().stream().mapToLong(m -> m).toArray();
        fields.stream().filter(f -> f.getType().isPrimitive()).forEach(f -> primitives.add(new Primitive(
            UNSAFE.objectFieldOffset(f), size(f.getType()), Arrays.binarySearch(words, word(f)), shift(f))));
    }

    /** Where the eight bytes are that a field is in. Values and objects are aligned, so they are within the object. */
    private static long word(Field field) {
        return UNSAFE.objectFieldOffset(field) & -Long.BYTES;
    }

    private static long mask(Field field) {
        return -1L >>> Long.SIZE - Byte.SIZE * size(field.getType()) << shift(field);
    }

    private static int shift(Field field) {
        int before = (int) UNSAFE.objectFieldOffset(field) & Long.BYTES - 1;
        return Byte.SIZE * (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? before : Long.BYTES - size(field.getType()) - before);
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
        return component == null && references.length + words.length == 0;
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

    /**
     * Objects of one class, with what each of them held when it was added. They are compared in loops that know where fields are, as
     * that is done after each step.
     */
    final class Copies {
        private Object[] objects = new Object[1];
        private Object[] held = {};
        private long[] bits = {};
        private int size;
        /** How many references are kept of each object: of an array a copy. */
        private final int each = component == null ? references.length : 1;

        int size() {
            return size;
        }

        Object get(int index) {
            return objects[index];
        }

        Layout layout() {
            return Layout.this;
        }

        void add(Object object) {
            if (size == objects.length) {
                objects = Arrays.copyOf(objects, size * 2);
            }
            if ((size + 1) * each > held.length) {
                held = Arrays.copyOf(held, objects.length * each);
            }
            if ((size + 1) * words.length > bits.length) {
                bits = Arrays.copyOf(bits, objects.length * words.length);
            }
            objects[size] = object;
            if (component != null) {
                Object copy = Array.newInstance(component, Array.getLength(object));
                System.arraycopy(object, 0, copy, 0, Array.getLength(object));
                held[size] = copy;
            }
            for (int i = 0; i < references.length; i++) {
                held[size * each + i] = UNSAFE.getReferenceVolatile(object, references[i]);
            }
            for (int i = 0; i < words.length; i++) {
                bits[size * words.length + i] = UNSAFE.getLong(object, words[i]) & masks[i];
            }
            size++;
        }

        /** The index of the first object, from one on, that holds something else by now; their number if there is none. */
        int changed(int from) {
            return component == null ? changedFields(from) : changedArray(from);
        }

        private int changedArray(int from) {
            int i = from;
            while (i < size && isSameArray(objects[i], held[i])) {
                i++;
            }
            return i;
        }

        private int changedFields(int from) {
            Object[] before = held;
            long[] bitsBefore = bits;
            int r = from * each;
            int w = from * words.length;
            for (int i = from; i < size; i++) {
                Object object = objects[i];
                for (long offset : references) {
                    if (UNSAFE.getReference(object, offset) != before[r++]) {
                        return i;
                    }
                }
                for (int k = 0; k < words.length; k++) {
                    if ((UNSAFE.getLong(object, words[k]) & masks[k]) != bitsBefore[w++]) {
                        return i;
                    }
                }
            }
            return size;
        }

        /** Restores what the objects held. */
        void putBack() {
            for (int i = isBuffer ? 0 : changed(0); i < size; i = isBuffer ? i + 1 : changed(i + 1)) {
                putBack(i);
            }
        }

        private void putBack(int index) {
            Object object = objects[index];
            if (component != null) {
                System.arraycopy(held[index], 0, object, 0, Array.getLength(object));
            }
            for (int i = 0; i < references.length; i++) {
                UNSAFE.putReferenceVolatile(object, references[i], held[index * each + i]);
            }
            for (Primitive primitive : primitives) {
                put(object, primitive, bits[index * words.length + primitive.word] >>> primitive.shift);
            }
            if (isBuffer) {
                StringBuffer buffer = (StringBuffer) object;
                buffer.setLength(buffer.length()); // so that it forgets its toStringCache, which is of what it held meanwhile
            }
        }
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

    private static void put(Object object, Primitive at, long bits) {
        switch (at.size) {
            case Long.BYTES -> UNSAFE.putLong(object, at.offset, bits);
            case Integer.BYTES -> UNSAFE.putInt(object, at.offset, (int) bits);
            case Short.BYTES -> UNSAFE.putShort(object, at.offset, (short) bits);
            default -> UNSAFE.putByte(object, at.offset, (byte) bits);
        }
    }
}
