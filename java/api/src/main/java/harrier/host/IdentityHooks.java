package harrier.host;

import java.util.Objects;
import java.util.function.ToIntFunction;

/** Stands in for what asks an object for its hash code, which may be its identity hash code. */
public final class IdentityHooks {
    private static volatile ToIntFunction<Object> identity = System::identityHashCode;

    private IdentityHooks() {}

    /** Says what gives identity hash codes. */
    public static void use(ToIntFunction<Object> newIdentity) {
        identity = newIdentity;
    }

    /** Stands in for {@link Object#hashCode}. */
    public static int hashCode(Object o, String place) {
        return Objects.hashCode(Objects.requireNonNull(o)); // of which the virtual machine's is rewritten
    }

    /** Stands in for {@link System#identityHashCode}. */
    public static int identityHashCode(Object o, String place) {
        return identity.applyAsInt(o);
    }
}
