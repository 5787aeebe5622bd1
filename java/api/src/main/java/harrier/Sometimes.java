package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@link Scenario} that must be true in some state that a run comes to: what a program
 * is for does happen. A search that visits all states and finds none is a violation. {@code --witness}
 * keeps a run to such a state. The method takes nothing, or an actor of a class: then the property is
 * asked for each such actor that {@link Scenario#setUp} creates, for that actor alone. It returns {@code
 * boolean}, reads actors as {@link Invariant} methods do, and is false for an actor that has stopped.
 *
 * @see <a href="{@docRoot}/guide.html#properties-of-whole-runs">Guide: properties of whole runs</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Sometimes {
    /** What must hold, as a sentence; the method's name by default. */
    String value() default "";
}
