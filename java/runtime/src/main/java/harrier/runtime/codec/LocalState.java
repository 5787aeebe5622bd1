package harrier.runtime.codec;

import harrier.Actor;
import java.util.Map;

/**
 * An actor with what its local state covers beside its fields.
 *
 * @param name its name
 * @param children how many children it created so far
 * @param beside what else there is, by names that are no names of fields, in the order in which it is written
 */
public record LocalState(String name, int children, Actor actor, Map<String, Object> beside) {
    /** An actor with nothing beside its fields. */
    public LocalState(String name, int children, Actor actor) {
        this(name, children, actor, Map.of());
    }
}
