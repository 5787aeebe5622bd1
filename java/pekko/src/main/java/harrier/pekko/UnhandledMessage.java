package harrier.pekko;

import harrier.Fails;
import scala.util.Try$;

/**
 * A message that an actor does not handle. Checks count them in a remark, as exceptions that are caught; with
 * {@code @Fails(UnhandledMessage.class)} on the scenario ({@link Fails}) they are violations.
 */
public final class UnhandledMessage extends RuntimeException {
    private UnhandledMessage(Object message) {
        super("not handled: " + message);
    }

    /** Has the check count a message, which the library publishes to nobody. */
    static void count(Object message) {
        Try$.MODULE$.apply(() -> { // checks count what libraries catch, and not what harrier's classes do
            throw new UnhandledMessage(message);
        });
    }
}
