package harrier;

/** Says when timers and scheduled tasks may fire. Without a word: at any moment after they were set. */
public final class Timers {
    private final Runnable inOrder;

    Timers(Runnable inOrder) {
        this.inOrder = inOrder;
    }

    /**
     * Durations count, within each actor: a timer may not fire while there is one that was set in an earlier step, or
     * in the same one, and must fire first, as its longest duration is not longer than the shortest of the other. What
     * one step sets begins to wait at one moment, in whatever order the statements are; those that take equally long
     * fire either way then. A timer that waits for its guard holds nobody back. Timers of different actors remain in any
     * order, as their clocks may run at any speed.
     */
    public Timers inOrder() {
        inOrder.run();
        return this;
    }
}
