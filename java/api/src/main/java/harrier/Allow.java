package harrier;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Relaxes rules for a scenario, as {@code --allow} does on the command line: {@code @Allow("randomness=seed:42")}. What
 * the command line says of a rule goes before this. What has code reach more of the machine, {@code io}, {@code reflection},
 * {@code natives} and {@code jdk}, the command line must allow as well. The summary lists every rule that is relaxed.
 *
 * @see <a href="{@docRoot}/refusals.html#relaxing-rules">Refusals: relaxing rules</a>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Allow {
    /** Relaxed rules, each as {@code name=value}, or as {@code vacuous}. */
    String[] value();
}
