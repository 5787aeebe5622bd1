package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A formula of linear temporal logic that every fair run of a {@link Scenario} must satisfy. Its atoms are
 * methods of the scenario, by their names; they are as {@link Eventually} has them. There are {@code true}
 * and {@code false}, {@code ! && || -> <->}, {@code []} or {@code G} (always), {@code <>} or {@code F}
 * (eventually), {@code U} (until), {@code W} (unless), {@code R} (release) and parentheses. There is no
 * next: how many steps others take in between has no meaning.
 *
 * <pre>{@code
 * @Ltl(value = "[](requested -> <>answered) && []<>idle", name = "the server works")
 * public final class Service extends Scenario { ... }
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#properties-of-whole-runs">Guide: properties of whole runs</a>
 */
@Documented
@Repeatable(Ltl.All.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Ltl {
    /** The formula. */
    String value();

    /** What must hold, as a sentence; the formula by default. */
    String name() default "";

    /** Holds several. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {
        /** In their order. */
        Ltl[] value();
    }
}
