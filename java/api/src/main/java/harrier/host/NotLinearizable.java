package harrier.host;

import java.util.Set;

/**
 * Stands in place of the {@linkplain Configuration configurations} once there is none left.
 *
 * @param actor the name of the actor whose operation returned a result that no order of the operations explains
 * @param result the returned value
 * @param allowed the values that the specification allows
 */
public record NotLinearizable(Object actor, Object invocation, Object result, Set<Object> allowed) {}
