package harrier.host;

import java.util.concurrent.Exchanger;

/**
 * An exchanger of threads of an actor, in place of the JDK's.
 *
 * @param <V> what they exchange
 */
public class ActorExchanger<V> extends Exchanger<V> implements ThreadState {
    /** The offer of the thread that waits for another one to exchange with; null if no thread does. */
    private Offer offer;

    /** An object that a thread gives, and the one that it gets for it. */
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

        /** Removes the offer, as its thread no longer waits. */
        void withdraw() {
            of.offer = null;
        }
    }

    /** Exchanges an object with the thread that waits, and returns what that thread gives. */
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
