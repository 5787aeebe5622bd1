package harrier;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Relaxes rules for a scenario, as {@code --allow} does on the command line: {@code @Allow("randomness=seed:42")}. What
 * the command line says of a rule goes before this. The summary lists every rule that is relaxed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Allow {
    /** Rules with what is allowed, each as {@code name=value}, or as {@code vacuous}. */
    String[] value();
}
