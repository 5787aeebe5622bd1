package harrier.runtime.rules;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/**
 * What decides in which order {@code Set.of} and {@code Map.of} iterate. Each virtual machine draws it by chance when it
 * starts; ours has the same one each time, so that a check that is repeated does the same.
 */
public final class Salt {
    private static final long SALT = 0x4A7B_19E5L;

    private Salt() {}

    /** Pins it, which changes the order in which existing ones iterate, but not what they find. */
    public static void pin() {
        Unsafe unsafe = Unsafe.getUnsafe();
        try {
            Class<?> holder = Class.forName("java.util.ImmutableCollections");
            unsafe.ensureClassInitialized(holder);
            Field salt = holder.getDeclaredField("SALT32L");
            Field reverse = holder.getDeclaredField("REVERSE");
            unsafe.putLongVolatile(unsafe.staticFieldBase(salt), unsafe.staticFieldOffset(salt), SALT);
            unsafe.putBooleanVolatile(unsafe.staticFieldBase(reverse), unsafe.staticFieldOffset(reverse), (SALT & 1) == 0);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java has another way to order Set.of: " + e, e);
        }
    }
}
