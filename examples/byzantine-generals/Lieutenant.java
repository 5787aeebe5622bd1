package byzantinegenerals;

import byzantinegenerals.Messages.Order;
import byzantinegenerals.Messages.Relay;
import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.Map;

/** Relays the commander's order to the other lieutenants, and decides once it has heard from all of them. */
final class Lieutenant extends Actor {
    private final ActorName commander;
    /** How many other lieutenants there are. */
    private final int others;
    /** Null until it arrives. */
    private Order order;
    /** Null until it decides. */
    private Boolean attacks;

    Lieutenant(ActorName commander, int others) {
        this.commander = commander;
        this.others = others;
    }

    /** Whether it attacks; null if it has not decided. */
    Boolean attacks() {
        return attacks;
    }

    @Handler(when = "isFirstOrder")
    void on(Order m) {
        order = m;
        for (ActorName lieutenant : m.lieutenants()) {
            if (!lieutenant.equals(self())) {
                send(lieutenant, new Relay(m.attack()));
            }
        }
    }

    /** Receivers know senders (assumption A2 of the paper), so a lieutenant's order fools nobody. */
    boolean isFirstOrder(Order m, ActorName sender) {
        return order == null && sender.equals(commander);
    }

    /** Takes one relay of each other lieutenant, and follows the majority. A tie is a retreat. */
    @Handler(quorum = "others", when = "areAwaited")
    void on(Map<ActorName, Relay> relays) {
        long attacking = relays.values().stream().filter(Relay::attack).count() + (order.attack() ? 1 : 0);
        attacks = 2 * attacking > others + 1;
    }

    boolean areAwaited(Map<ActorName, Relay> relays) {
        return order != null && attacks == null && !relays.containsKey(commander);
    }
}
