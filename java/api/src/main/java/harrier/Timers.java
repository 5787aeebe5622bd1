package harrier;

import harrier.host.Declaration;
import java.util.function.IntConsumer;

/**
 * Says when timers and scheduled tasks may fire. By default at any moment after they were set.
 *
 * @see <a href="{@docRoot}/guide.html#timers">Guide: timers</a>
 */
public final class Timers {
    private final Runnable inOrder;
    private final IntConsumer atMost;

    Timers(Runnable inOrder, IntConsumer atMost) {
        this.inOrder = inOrder;
        this.atMost = atMost;
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

    /**
     * Bounds the check: in each actor timers fire, scheduled tasks run, periodic ones too, and waits time out so many times in all, crashes
     * or not. What happens after that is not explored. So no run ends where a timer is held back, and the verdict says what it is about.
     */
    public Timers atMost(int firings) {
        atMost.accept(Declaration.requireBudget("atMost", firings));
        return this;
    }
}
