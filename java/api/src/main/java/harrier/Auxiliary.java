package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field of an {@link Actor}, or of a message, that changes nothing that matters: a counter for
 * statistics, a log, a time of last contact. On the second parameter of a handler it marks the sender. It promises that the field's value never decides whether a
 * guard accepts, which messages are sent and to whom, which actors are created, the outcomes of choices, whether a handler fails
 * or comes to its end, what a property says, or the value of a field that is not auxiliary. Two states
 * that differ in auxiliary fields only are then as good as one. Where {@code network().duplicating()} has no bound and
 * there are final conditions or properties of runs, whole messages matter, and with them what gets into one.
 *
 * <p>The promise is checked. A program in which code reads the field and one of these depends on what
 * it read is refused, with the place. Where the field merely may matter, for instance because it is
 * handed to a method that could throw, the promise is believed. Many auxiliary fields are found without
 * being marked.
 *
 * <pre>{@code
 * @Auxiliary private int handled;
 * record Vote(int ballot, @Auxiliary String reason) {}
 * }</pre>
 *
 * @see <a href="{@docRoot}/reference.html#checks-of-what-a-verdict-rests-on">Reference: checks of what a verdict rests on</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Auxiliary {}
