package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of an {@link Actor} that consumes one message, or several at once, atomically.
 *
 * <p>The method's first parameter is the type of message it handles; a second one, of type
 * {@link ActorName}, receives the sender. For a message, the handlers with the most specific
 * matching type are considered. The method returns nothing.
 *
 * <p>A method whose first parameter is a {@code Set}, {@code List} or {@code Collection} of a type of message is a
 * quorum handler: it consumes several messages of that type at once. A second parameter, of type
 * {@code Set<ActorName>}, receives their senders. Which sets of pending messages it consumes is said by
 * {@link #quorum} and by its guard; each that fits is explored. Equal messages of different senders are one
 * element of a set, but two messages. The order in a list means nothing.
 *
 * <p>A handler whose only parameter is a {@code Map} from {@code ActorName} to a type of message is a quorum handler
 * with {@link #quorum}: it gets the message of each sender, under {@code null} for the scenario's. The order in the map
 * means nothing.
 *
 * <pre>{@code
 * @Handler void on(Prepare m) { ... }
 * @Handler void on(Vote v, ActorName from) { ... }
 * @Handler(when = "leading") void on(Request r) { ... }
 * boolean leading() { return role == Role.LEADER; }
 *
 * @Handler(quorum = "majority") void on(Set<Promise> all, Set<ActorName> from) { ... }
 * @Handler(quorum = "majority") void on(Map<ActorName, Vote> votes) { ... }
 * }</pre>
 *
 * @see <a href="{@docRoot}/first-protocol.html">Your first protocol</a>
 * @see <a href="{@docRoot}/guide.html#quorums">Guide: quorums</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Handler {
    /**
     * The name of the guard: a method of the same actor that returns {@code boolean}, takes nothing,
     * or the message, or the message and its sender, and changes nothing. A message whose guard is
     * false stays pending. Without a guard every message of the type is accepted. The guard of a quorum handler takes
     * nothing, or all the messages, or these and their senders.
     */
    String when() default "";

    /**
     * How many messages a quorum handler consumes at once:
     *
     * <ul>
     *   <li>{@code "majority"}: one from each of more than half of the actors of a role, and no more than are needed.
     *       The senders' role decides, so all are of one role that the scenario creates;
     *   <li>a number, such as {@code "2"}: so many, each from another sender;
     *   <li>the name of an {@code int} field of the actor, or of a method that takes nothing, returns an {@code int}
     *       and changes nothing: as many as that says now, at least 1, each from another sender;
     *   <li>nothing: any number from any senders. The guard decides.
     * </ul>
     *
     * <p>Sets of other sizes are not tried at all, so a check is faster where the size is declared.
     */
    String quorum() default "";
}
