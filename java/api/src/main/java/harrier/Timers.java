package harrier;

/**
 * Says when timers and scheduled tasks may fire. By default at any moment after they were set.
 *
 * @see <a href="{@docRoot}/guide.html#timers">Guide: timers</a>
 */
public final class Timers {
    private final Runnable inOrder;

    Timers(Runnable inOrder) {
        this.inOrder = inOrder;
    }

    /**
     * Durations count, within each actor. A timer may not fire while another one is pending that was set in an earlier step, or
     * in the same one, and whose longest duration is at most its own shortest. Of two that one step sets and that take equally
     * long, either may be first, in whatever order the statements are. A timer that waits for its guard holds no other one back.
     * Timers of different actors fire in any order, as their clocks may run at any speed.
     */
    public Timers inOrder() {
        inOrder.run();
        return this;
    }
}
