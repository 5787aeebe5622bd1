package harrier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field of an {@link Actor} whose value survives a crash, with all that can be reached from it, as it
 * was when the last step before the crash ended; or in the moment of a crash {@linkplain Faults#withinHandlers
 * within a handler}. Fields without it are as the constructor left them when
 * {@link Actor#onRestart} runs. What the constructor gave the object of a final field to, has the surviving one too;
 * a field that is not final survives alone.
 *
 * <p>Use {@link DurableStore} where a program writes to disk at some moments only.
 *
 * <pre>{@code
 * @Durable private int promised;
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#crashes">Guide: crashes</a>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Durable {}
