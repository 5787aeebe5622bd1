package promises;

import harrier.Allow;
import harrier.Sometimes;

/**
 * That thirteen of the outcomes which the library's own threads may bring about ({@code RealRuns}) are explored.
 *
 * <p>Expected: verified.
 */
@Allow("randomness=seed:1")
public final class Orders extends Promises {
    @Sometimes("messages of two actors came in one order")
    boolean oneOrder() { return ends("messages of two actors", "a b"); }

    @Sometimes("and in the other")
    boolean otherOrder() { return ends("messages of two actors", "b a"); }

    @Sometimes("who was stopped had taken what came before")
    boolean stoppedLate() { return ends("who is stopped by its parent", "1 PostStop"); }

    @Sometimes("and had not")
    boolean stoppedEarly() { return ends("who is stopped by its parent", "PostStop"); }

    @Sometimes("the parent knew that the child had gone")
    boolean goneBefore() { return ends("a child may be gone", "last,0"); }

    @Sometimes("and did not know yet")
    boolean goneAfter() { return ends("a child may be gone", "last,1"); }

    @Sometimes("the adapter failed before the next message")
    boolean adapterFirst() { return ends("who has an adapter that fails", "gone"); }

    @Sometimes("and after it")
    boolean adapterLater() { return ends("who has an adapter that fails", "stop gone"); }

    @Sometimes("the monitor was later")
    boolean monitorLater() { return ends("who is monitored", "1 monitor:1"); }

    @Sometimes("and was first")
    boolean monitorFirst() { return ends("who is monitored", "monitor:1 1"); }

    @Sometimes("the other child of the pool came between")
    boolean poolBetween() { return ends("a pool hands on", "a1 b1 c2"); }

    @Sometimes("and came last")
    boolean poolLast() { return ends("a pool hands on", "a1 c2 b1"); }

    @Sometimes("and came first")
    boolean poolFirst() { return ends("a pool hands on", "b1 a1 c2"); }

    /** Whether the witness of a promise was told all of an outcome. */
    private boolean ends(String name, String outcome) {
        Witness w = state(witness, Witness.class);
        return w.promise() >= 0 && Promise.all().get(w.promise()).name().startsWith(name) && w.told().equals(outcome);
    }
}
