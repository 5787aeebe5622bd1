package harrier.runtime.actor;

import java.util.List;

/**
 * A number of actors that the scenario created as one role.
 *
 * @param names in the order of their creation
 */
public record Role(String name, List<String> names) {}
