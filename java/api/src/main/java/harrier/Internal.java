package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of an {@link Actor} that the actor may run by itself, at any moment in which its guard is
 * true: an internal event. It consumes no message, takes no parameters and returns nothing; everything that
 * works in a {@link Handler} works in it, but {@code reply}.
 *
 * <p>A guard that stays true lets the event happen again and again. Without a guard the event is always
 * enabled, so no state is an end.
 *
 * <pre>{@code
 * @Internal(when = "idle") void takeNext() { ... }
 * boolean idle() { return current == null && !queue.isEmpty(); }
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#internal-events">Guide: internal events</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Internal {
    /**
     * The name of the guard: a method of the same actor that returns {@code boolean}, takes nothing and
     * changes nothing. Without a guard the event is always enabled.
     */
    String when() default "";
}
