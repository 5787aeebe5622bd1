package promises;

import harrier.Sometimes;

/**
 * That outcomes which the library's own threads may bring about ({@code RealRuns}) are explored.
 *
 * <p>Expected: verified.
 */
public final class Orders extends Promises {
    @Sometimes("messages of two senders came in one order")
    boolean oneOrder() { return ends("messages of two senders", "a b"); }

    @Sometimes("and in the other")
    boolean otherOrder() { return ends("messages of two senders", "b a"); }

    @Sometimes("the first handler got what was sent")
    boolean firstHandler() { return ends("what is sent", "1"); }

    @Sometimes("and another one did")
    boolean otherHandler() { return ends("what is sent", "2"); }

    @Sometimes("the publisher was last")
    boolean publisherLast() { return ends("what is published", "1 2"); }

    @Sometimes("and was first")
    boolean publisherFirst() { return ends("what is published", "2 1"); }

    @Sometimes("an answer came in time")
    boolean inTime() { return ends("an answer that is late", "late"); }

    @Sometimes("and came late")
    boolean late() { return ends("an answer that is late", "TIMEOUT"); }

    @Sometimes("the question timed out before it was heard of")
    boolean outBefore() { return ends("who is not answered", "TIMEOUT asked"); }

    @Sometimes("and afterwards")
    boolean outAfter() { return ends("who is not answered", "asked TIMEOUT"); }

    @Sometimes("what had arrived was discarded")
    boolean discarded() { return ends("who unregisters", "discarded"); }

    @Sometimes("blocking code ended late")
    boolean blockingLate() { return ends("blocking code has its result", "now blocking failed"); }

    @Sometimes("and before the verticle went on")
    boolean blockingFirst() { return ends("blocking code has its result", "blocking failed now"); }

    @Sometimes("blocking code ended in one order")
    boolean oneEnd() { return ends("blocking code need not", "1 2"); }

    @Sometimes("and in the other one")
    boolean otherEnd() { return ends("blocking code need not", "2 1"); }

    /** Whether the witness of a promise was told all of an outcome. */
    private boolean ends(String name, String outcome) {
        return verticles(Witness.class).anyMatch(w -> w.promise() >= 0 && Promised.all().get(w.promise()).name().startsWith(name)
            && w.told().equals(outcome));
    }
}
