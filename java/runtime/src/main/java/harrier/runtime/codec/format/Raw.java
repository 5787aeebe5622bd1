package harrier.runtime.codec.format;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/** Memory as it is, for fields that are private to the JDK or to programs. */
public final class Raw {
    public static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** Finds members that are private, those of the JDK among them. */
    public static final MethodHandles.Lookup LOOKUP = lookup();

    private static final MethodHandle FIELDS = method(Class.class, "getDeclaredFields0", Field[].class, boolean.class);

    private Raw() {}

    private static MethodHandles.Lookup lookup() {
        try {
            UNSAFE.ensureClassInitialized(MethodHandles.Lookup.class);
            return (MethodHandles.Lookup) get(MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP"));
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A method that may be private to the JDK. */
    public static MethodHandle method(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        try {
            return LOOKUP.findVirtual(owner, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The fields that a class declares, with those that the JDK hides from reflection, such as {@code AccessibleObject.override}. */
    public static Field[] fields(Class<?> type) {
        try {
            return (Field[]) FIELDS.invokeExact(type, false);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
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
