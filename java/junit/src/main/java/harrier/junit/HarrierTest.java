package harrier.junit;

import harrier.Scenario;
import harrier.run.Verdict;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Checks a scenario before the method that it is on, which may take the {@link Verdict} as a parameter. On a class that
 * implements {@link HarrierChecks} it is a test by itself. It fails where harrier does not verify the scenario.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(HarrierExtension.class)
public @interface HarrierTest {
    /** The scenario. */
    Class<? extends Scenario> scenario();

    /**
     * Sets of values for its parameters, each such as {@code "acceptors=5, proposers=2"}, and a test of its own. Several values, as in
     * {@code "acceptors=3..5, proposers=1,2"}, are a test for each setting, smallest first; those after a violation are skipped. What
     * stands for several values is as in {@code harrier check --set}.
     */
    String[] set() default {""};

    /** How long the check may take, such as {@code 60s} or {@code 10m}; "" for no limit. */
    String timeout() default "";

    /** Whether a check that reaches a limit before it has seen all states passes. */
    boolean allowInconclusive() default false;

    /** Further options of {@code harrier check}, such as {@code "--search", "bfs"}. */
    String[] options() default {};
}
