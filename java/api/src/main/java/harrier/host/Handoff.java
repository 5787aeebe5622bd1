package harrier.host;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;

/**
 * A queue without room, in place of the JDK's: what a thread puts into it waits with that thread. Which of several threads
 * hands its element over is a choice, as is which of several gets one, unless the queue is fair.
 *
 * @param <E> the elements
 */
@SuppressWarnings("serial") // nobody does
public class Handoff<E> extends SynchronousQueue<E> implements ThreadState {
    private final boolean isFair;
    /** The elements of threads that wait to hand them over, the longest-waiting first. */
    private final List<Offer> offers = new ArrayList<>();

    public Handoff() {
        this(false);
    }

    public Handoff(boolean isFair) {
        this.isFair = isFair;
    }

    /** An element whose thread waits until another thread takes it. */
    static final class Offer implements ThreadState {
        private final Handoff<?> of;
        private final Object element;
        boolean isTaken;

        Offer(Handoff<?> of, Object element) {
            this.of = of;
            this.element = element;
        }

        /** Removes the offer, as its thread no longer waits. */
        void end() {
            of.offers.remove(this);
        }
    }

    Offer wait(Object element) {
        Offer offer = new Offer(this, element);
        offers.add(offer);
        return offer;
    }

    boolean isOffered() {
        return !offers.isEmpty();
    }

    /** Hands an element to a thread that waits for one of a queue; false if none does. */
    static boolean give(BlockingQueue<?> queue, Object element, boolean isFair) {
        List<Wait> takers = takers(queue);
        if (takers.isEmpty()) {
            return false;
        }
        Wait one = takers.get(isFair || takers.size() == 1 ? 0 : Hooks.control("").choose(takers.size()));
        one.isNotified = true;
        one.given = element;
        return true;
    }

    /** The waits of threads for an element of a queue, without as many of the longest-waiting as the queue has elements for. */
    static List<Wait> takers(BlockingQueue<?> queue) {
        List<Wait> found = new ArrayList<>();
        Threads here = Threads.here();
        if (here != null) {
            for (ActorThread t : here.agenda().all()) {
                Wait w = t.wait;
                if (w != null && w.kind == Wait.Kind.TAKE && w.on == queue && !w.isNotified && !w.isTimedOut && !w.isInterrupted) {
                    found.add(w);
                }
            }
        }
        return found.subList(Math.min(queue.size(), found.size()), found.size());
    }

    boolean give(Object element) {
        return give(this, element, isFair);
    }

    @Override
    public boolean offer(E element) {
        if (element == null) {
            throw new NullPointerException();
        }
        return give(element);
    }

    @Override
    @SuppressWarnings("unchecked")
    public E poll() {
        if (offers.isEmpty()) {
            return null;
        }
        Offer one = offers.remove(isFair || offers.size() == 1 ? 0 : Hooks.control("").choose(offers.size()));
        one.isTaken = true;
        return (E) one.element;
    }
}
