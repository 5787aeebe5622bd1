package harrier;

/** Says when timers and scheduled tasks may fire. Without a word: at any moment after they were set. */
public final class Timers {
    private final Runnable inOrder;

    Timers(Runnable inOrder) {
        this.inOrder = inOrder;
    }

    /**
     * Durations count, within each actor: a timer may not fire while there is one that was set before it and must
     * fire first, as its longest duration is not longer than the shortest of the other. Timers of different actors
     * remain in any order, as their clocks may run at any speed.
     */
    public Timers inOrder() {
        inOrder.run();
        return this;
    }
}
