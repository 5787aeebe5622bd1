package harrier;

/**
 * A message that was sent and is not consumed, as {@link Scenario#inFlight} gives it.
 *
 * @param sender who sent it; null if the scenario did
 * @param receiver whom it is to
 * @param message its content
 * @see <a href="{@docRoot}/guide.html#timers">Guide: timers, and what properties read</a>
 */
public record InFlight(ActorName sender, ActorName receiver, Object message) {}
