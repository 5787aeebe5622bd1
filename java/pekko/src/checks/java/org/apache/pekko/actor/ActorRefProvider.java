package org.apache.pekko.actor;

import java.util.function.Supplier;
import scala.concurrent.Promise;
import scala.concurrent.duration.FiniteDuration;

/** The library's interface of this name, in checks: what the ask pattern needs. */
public interface ActorRefProvider {
    ActorRef deadLetters();

    /**
     * A reference for the answer to a question that the running actor asks.
     *
     * @param late why there is none, when the time is over
     */
    InternalActorRef question(FiniteDuration timeout, Supplier<Throwable> late);

    /** What an answer completes. */
    Promise<Object> answer(InternalActorRef to);
}
