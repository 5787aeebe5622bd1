package harrier.host;

import java.util.Objects;
import java.util.function.ToIntFunction;

/** Stands in for calls that ask an object for its hash code, which may be its identity hash code. */
public final class IdentityHooks {
    private static volatile ToIntFunction<Object> identity = System::identityHashCode;

    private IdentityHooks() {}

    /** Sets the source of identity hash codes. */
    public static void use(ToIntFunction<Object> newIdentity) {
        identity = newIdentity;
    }

    /** Stands in for {@link Object#hashCode}. */
    public static int hashCode(Object o, String place) {
        return o == null ? o.hashCode() : Objects.hashCode(o); // the first fails as the call does; the second is rewritten in the JDK
    }

    /** Stands in for {@link System#identityHashCode}. */
    public static int identityHashCode(Object o, String place) {
        return identity.applyAsInt(o);
    }
}
