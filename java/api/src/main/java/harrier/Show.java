package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has counterexamples show objects of a class by their {@link Object#toString}, in place of their fields. For classes that cannot be
 * marked, a scenario is, with what {@code --show} takes: {@code @Show("org.example.Version=toString")}. What the command line says of a
 * class goes before this.
 *
 * @see <a href="{@docRoot}/reference.html#flags-of-check">Reference: flags of check</a>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Show {
    /**
     * On a scenario, or a superclass of it: classes of others with the methods that give their texts, or objects to be shown in their
     * place, each as {@code CLASS=METHOD}.
     */
    String[] value() default {};
}
