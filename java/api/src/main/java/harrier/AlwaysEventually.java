package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@link Scenario} that must be true again and again in every fair run, whatever has
 * happened before. The method takes nothing, or an actor of a class: then the property is asked for each
 * such actor that {@link Scenario#setUp} creates, for that actor alone. It returns {@code boolean}, reads
 * actors as {@link Invariant} methods do, and is false for an actor that has stopped.
 *
 * <p>A run is fair if what stays possible happens: messages that stay deliverable are delivered, timers
 * that stay set fire, internal events that stay enabled happen. Faults need not happen. A run that ends
 * stays in its last state for ever.
 *
 * @see <a href="{@docRoot}/guide.html#properties-of-whole-runs">Guide: properties of whole runs</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface AlwaysEventually {
    /** What must hold, as a sentence; the method's name by default. */
    String value() default "";
}
