package harrier.runtime.jdk;

import jdk.internal.misc.Unsafe;

/** Reaches what the JDK's rewritten classes use ({@code harrier.runtime.jdk.JdkRewrite}). */
public final class JdkHook {
    private JdkHook() {}

    /** What a static field of a hook class holds; something else in a virtual machine whose classes are as they were. */
    @SuppressWarnings("unchecked")
    public static <T> T field(String type, String field, T otherwise) {
        try {
            var found = Class.forName("jdk.internal.util." + type, true, null).getDeclaredField(field);
            Unsafe unsafe = Unsafe.getUnsafe();
            return (T) unsafe.getReference(unsafe.staticFieldBase(found), unsafe.staticFieldOffset(found));
        } catch (ClassNotFoundException e) {
            return otherwise;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
