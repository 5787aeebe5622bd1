package harrier;

/**
 * The notice that an actor has gone which another one watches: it has stopped, or crashed, whether it starts again or not. It comes after
 * the last message that arrived from that actor, and {@link Actor#watch} asks for it.
 *
 * @param actor who has gone
 * @see <a href="{@docRoot}/guide.html#crashes">Guide: crashes</a>
 */
public record Disconnected(ActorName actor) {}
