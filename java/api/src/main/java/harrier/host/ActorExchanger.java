package harrier.host;

import java.util.concurrent.Exchanger;

/**
 * An exchanger of threads of an actor, in place of the JDK's.
 *
 * @param <V> what they exchange
 */
public class ActorExchanger<V> extends Exchanger<V> implements ThreadState {
    /** That of a thread that waits for another one; null if none does. */
    private Offer offer;

    /** What a thread gives, and gets for it. */
    static final class Offer implements ThreadState {
        private final ActorExchanger<?> of;
        private final Object gives;
        private Object gets;
        boolean isTaken;

        Offer(ActorExchanger<?> of, Object gives) {
            this.of = of;
            this.gives = gives;
        }

        Object gets() {
            return gets;
        }

        /** Nobody waits for an exchange any more. */
        void withdraw() {
            of.offer = null;
        }
    }

    /** Takes what a thread offers that waits. */
    Object take(Object given) {
        Offer taken = offer;
        offer = null;
        taken.gets = given;
        taken.isTaken = true;
        return taken.gives;
    }

    boolean isOffered() {
        return offer != null;
    }

    Offer offer(Object given) {
        offer = new Offer(this, given);
        return offer;
    }
}
