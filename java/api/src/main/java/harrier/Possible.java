package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@link Scenario} that must stay possible: from every state that a run comes to, some
 * run without faults leads to a state in which it is true. That need not happen: another run may go
 * elsewhere for ever, which {@link Eventually} and {@link AlwaysEventually} forbid. The method takes
 * nothing, or an actor of a class: then the property is asked for each such actor that {@link
 * Scenario#setUp} creates, for that actor alone. It returns {@code boolean}, reads actors as {@link
 * Invariant} methods do, and is false for an actor that has stopped.
 *
 * @see <a href="{@docRoot}/guide.html#properties-of-whole-runs">Guide: properties of whole runs</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Possible {
    /** What must hold, as a sentence; the method's name by default. */
    String value() default "";
}
