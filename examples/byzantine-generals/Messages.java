package byzantinegenerals;

import harrier.ActorName;
import java.util.List;

/** What generals tell each other. */
final class Messages {
    private Messages() {}

    /** Has the commander choose an order for these lieutenants. */
    record Begin(List<ActorName> lieutenants) {}

    /** What the commander orders, and whom. */
    record Order(boolean attack, List<ActorName> lieutenants) {}

    /** What a lieutenant says that the commander ordered. */
    record Relay(boolean attack) {}
}
