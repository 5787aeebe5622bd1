package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@link Scenario} that must return true in every reachable state. It takes
 * nothing, returns {@code boolean}, reads actors through {@link Scenario#actors} and
 * {@link Scenario#actor} and their operations through {@link Scenario#history}, and changes nothing. An
 * exception that leaves it is a violation as well.
 *
 * @see <a href="{@docRoot}/first-protocol.html#what-you-can-write">Your first protocol: what you can write</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Invariant {
    /** What must hold, as a sentence; the method's name by default. */
    String value() default "";
}
