package harrier.runtime.actor;

import java.util.List;

/**
 * A set of actors.
 *
 * @param all whether it holds every actor
 * @param names those it holds otherwise, sorted; one that ends in a slash stands for all that the actor before the slash
 *     creates
 */
public record Scope(boolean all, List<String> names) {
    public static final Scope NOBODY = new Scope(false, List.of());
    public static final Scope ALL = new Scope(true, List.of());

    public boolean has(String name) {
        return all || names.contains(name) || names.contains(name.substring(0, name.indexOf('/') + 1));
    }
}
