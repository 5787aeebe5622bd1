package byzantinegenerals;

import byzantinegenerals.Messages.Begin;
import byzantinegenerals.Messages.Order;
import harrier.Actor;
import harrier.Handler;

/** Gives one order to all lieutenants. */
final class Commander extends Actor {
    /** Null until it is given. */
    private Boolean attack;

    /** Whether the order is to attack; null if there is none. */
    Boolean attack() {
        return attack;
    }

    @Handler
    void on(Begin m) {
        attack = choose(2) == 1;
        send(m.lieutenants(), new Order(attack, m.lieutenants()));
    }
}
