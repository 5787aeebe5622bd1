package harrier;

/**
 * A message that was sent and is not consumed, as {@link Scenario#inFlight} gives it.
 *
 * @param sender who sent it; null if the scenario did
 * @param receiver whom it is to
 * @param message its content
 */
public record InFlight(ActorName sender, ActorName receiver, Object message) {}
