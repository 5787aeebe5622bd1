package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field of a {@link Scenario} that {@code --set name=value} changes before
 * {@link Scenario#setUp} runs. The field is an {@code int}, {@code long}, {@code boolean},
 * {@code double}, {@code String} or enum, and not final; its initial value is the default.
 *
 * @see <a href="{@docRoot}/first-protocol.html#what-you-can-write">Your first protocol: what you can write</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Parameter {
    /** What the parameter means, for people. */
    String value() default "";
}
