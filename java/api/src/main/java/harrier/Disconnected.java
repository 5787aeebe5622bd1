package harrier;

/**
 * The notice that an actor has gone which another one watches: it has stopped, or crashed, whether it starts again or not. It comes after
 * the last message that arrived from that actor, and {@link Actor#watch} asks for it. Or that the connection with it has closed ({@link
 * Network#connections}), after the last message that arrived on it; nobody asks for that.
 *
 * @param actor who has gone, or was at the other end
 * @see <a href="{@docRoot}/guide.html#crashes">Guide: crashes</a>
 */
public record Disconnected(ActorName actor) {}
