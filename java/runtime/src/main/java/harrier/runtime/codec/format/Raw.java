package harrier.runtime.codec.format;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/** Memory as it is, for fields that are private to the JDK or to programs. */
public final class Raw {
    public static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** Finds members that are private, those of the JDK among them. */
    public static final MethodHandles.Lookup LOOKUP = lookup();

    private Raw() {}

    private static MethodHandles.Lookup lookup() {
        try {
            UNSAFE.ensureClassInitialized(MethodHandles.Lookup.class);
            return (MethodHandles.Lookup) get(MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP"));
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What a static field holds; null as long as its class is not initialized. */
    public static Object get(Field field) {
        return UNSAFE.getReference(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
    }

    /** Where the first element of an array is. By reflection: the JDK's method gives an int or a long, by its version. */
    public static long arrayBase(Class<?> type) {
        try {
            return ((Number) Unsafe.class.getMethod("arrayBaseOffset", Class.class).invoke(UNSAFE, type)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
