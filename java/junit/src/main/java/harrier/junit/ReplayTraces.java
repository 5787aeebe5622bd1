package harrier.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a class that implements {@link HarrierChecks}: replays stored counterexamples against the program as it is now. Each
 * {@code .json} file below the folder is a test, which fails if its violation comes about again.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ReplayTraces {
    /** The folder, from the project's. */
    String value();
}
