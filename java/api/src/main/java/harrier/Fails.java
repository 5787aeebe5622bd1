package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a scenario: classes of exceptions that fail the step that throws one, although the program or a library catches it. An
 * {@link AssertionError} and a {@link VirtualMachineError} always do. {@code --allow caught=CLASS} leaves a class out.
 *
 * @see <a href="{@docRoot}/guide.html#failures-that-are-caught">Guide: failures that are caught</a>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Fails {
    /** The classes; their subclasses are meant, too. */
    Class<? extends Throwable>[] value();
}
