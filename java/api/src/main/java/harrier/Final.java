package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a {@link Scenario} that must return true where a run ends: in every state in which no event but faults is
 * enabled. It is otherwise as {@link Invariant} methods are. A scenario may have any number, beside {@link Scenario#expectFinal}.
 *
 * <pre>{@code
 * @Final("every order is completed")
 * boolean completed() { return actors(Order.class).allMatch(Order::isComplete); }
 * }</pre>
 *
 * @see <a href="{@docRoot}/first-protocol.html#what-you-can-write">Your first protocol: what you can write</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Final {
    /** What must hold, as a sentence; the method's name by default. */
    String value() default "";
}
