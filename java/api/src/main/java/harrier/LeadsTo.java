package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@link Scenario} after which another one must come to be true: whenever this one is
 * true in a fair run, the other is then or later. The method takes nothing, or an actor of a class: then
 * the property is asked for each such actor that {@link Scenario#setUp} creates, for that actor alone. It
 * returns {@code boolean}, reads actors as {@link Invariant} methods do, and is false for an actor that
 * has stopped. So is the other one; of both that take an actor it is the same.
 *
 * <p>A run is fair if what stays possible happens: messages that stay deliverable are delivered, timers
 * that stay set fire, internal events that stay enabled happen. Faults need not happen. A run that ends
 * stays in its last state for ever.
 *
 * <pre>{@code
 * @LeadsTo(value = "each request is answered", to = "answered")
 * boolean requested(Client c) { return c.requests() > 0; }
 *
 * boolean answered(Client c) { return c.answers() > 0; }
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#properties-of-whole-runs">Guide: properties of whole runs</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface LeadsTo {
    /** What must hold, as a sentence; the two methods' names by default. */
    String value() default "";

    /** The name of the method that must come to be true. */
    String to();
}
