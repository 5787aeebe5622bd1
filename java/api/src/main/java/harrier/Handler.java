package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of an {@link Actor} that consumes one message, atomically.
 *
 * <p>The method's first parameter is the type of message it handles; a second one, of type
 * {@link ActorName}, receives the sender. For a message, the handlers with the most specific
 * matching type are considered. The method returns nothing.
 *
 * <pre>{@code
 * @Handler void on(Prepare m) { ... }
 * @Handler void on(Vote v, ActorName from) { ... }
 * @Handler(when = "leading") void on(Request r) { ... }
 * boolean leading() { return role == Role.LEADER; }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Handler {
    /**
     * The name of the guard: a method of the same actor that returns {@code boolean}, takes nothing,
     * or the message, or the message and its sender, and changes nothing. A message whose guard is
     * false stays pending. Without a guard every message of the type is accepted.
     */
    String when() default "";
}
