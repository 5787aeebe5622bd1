package harrier.runtime.codec.graph;

import harrier.Actor;
import java.util.Map;

/**
 * An actor with the part of its local state beside its fields.
 *
 * @param name its name
 * @param children how many children it created so far
 * @param beside timers, tasks, the clock and static fields of its own, by names that no field has, in the order in which they are written;
 *     {@link SortedBeside} stands for values whose order is found then
 */
public record LocalState(String name, int children, Actor actor, Map<String, Object> beside) {}
