package harrier.host;

import java.util.HashMap;
import java.util.Map;

/**
 * A state of a sequential specification, with the pending operations and which of them have taken effect on it.
 * A set of these is kept of a scenario's operations for {@link harrier.Scenario#linearizable}.
 * For {@link harrier.Scenario#regular} there is one more set for each pending read.
 *
 * <p>Configurations are compared by their bytes: a specification needs no {@code equals}.
 */
public final class Configuration {
    /** The state: an object of the specification's class. */
    public final Object state;
    /** The pending operations, by the name of the actor. */
    public final Map<Object, Pending> pending = new HashMap<>();
    /** The operations invoked by actors that crashed, that have not taken effect: how many times each. */
    public final Map<Object, Integer> abandoned = new HashMap<>();

    /** One without operations. */
    public Configuration(Object state) {
        this.state = state;
    }

    /**
     * A pending operation.
     *
     * @param tookEffect whether it has taken effect
     * @param result what the specification gave then; null before that
     */
    public record Pending(Object invocation, boolean tookEffect, Object result) {}

    /**
     * The key of a pending read.
     *
     * @param reader the name of the actor
     */
    public record Read(Object key, Object reader) {}
}
