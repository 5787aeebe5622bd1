package harrier.host;

import java.util.Set;

/**
 * Stands in place of the {@linkplain Configuration configurations} once there is none left.
 *
 * @param actor the name of the actor whose operation returned what no order of the operations explains
 * @param result what it returned
 * @param allowed what it might have returned
 */
public record NotLinearizable(Object actor, Object invocation, Object result, Set<Object> allowed) {}
