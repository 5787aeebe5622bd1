package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@link Scenario} that bounds a check: a state in which it is false is neither tested nor explored further, and the
 * verdict is about runs up to there. So a program with infinitely many states can be checked as far as a number of rounds or of messages
 * goes. Where there are several, all must be true. The method takes nothing, returns {@code boolean}, reads actors as {@link Invariant}
 * methods do, and changes nothing. An exception that leaves it breaks a rule.
 *
 * <pre>{@code
 * @Within("three terms")
 * boolean few() {
 *     return actors(Server.class).allMatch(s -> s.term <= 3);
 * }
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#bounds">Guide: bounds</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Within {
    /** The bound, as a noun; the method's name by default. */
    String value() default "";
}
