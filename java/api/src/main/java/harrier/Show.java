package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has counterexamples show objects of a class by their {@link Object#toString}, in place of their fields. Of a class that cannot be
 * marked, {@code --show CLASS=METHOD} names a method that gives the text.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Show {}
