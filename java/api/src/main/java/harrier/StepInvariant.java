package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@link Scenario} that must return true for every step that changes an actor of a class. It
 * takes two actors of that class, the one as it was before the step and the one as it is after, returns {@code
 * boolean}, reads nothing else, and changes nothing. An exception that leaves it is a violation as well.
 *
 * <p>A step is the execution of a handler with the messages that it consumes. A crash after which the actor starts again is a step too:
 * it leads from what the actor was to what {@link Actor#onRestart} leaves, also where the actor is down in between. To stop is none.
 *
 * <pre>{@code
 * @StepInvariant("a term never decreases")
 * boolean termsGrow(Server before, Server after) {
 *     return after.term >= before.term;
 * }
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#timers">Guide: timers, and what properties read</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface StepInvariant {
    /** What must hold, as a sentence; the method's name by default. */
    String value() default "";
}
