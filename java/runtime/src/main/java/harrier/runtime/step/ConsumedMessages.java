package harrier.runtime.step;

import harrier.ActorName;
import harrier.Hosting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages that a handler consumes, freshly decoded.
 *
 * @param messages at least one
 * @param senders who sent each; an empty name stands for the scenario
 */
record ConsumedMessages(List<Object> messages, List<String> senders) {

    /** The only one. */
    Object message() {
        return messages.get(0);
    }

    /** All of them as a quorum handler takes them. */
    Object in(Class<?> collection) {
        return collection == Map.class ? bySender()
            : collection == Set.class ? new HashSet<>(messages) : new ArrayList<>(messages);
    }

    /** Each has another sender, as a handler that takes a map has a size. The scenario is null. */
    private Map<ActorName, Object> bySender() {
        Map<ActorName, Object> found = new HashMap<>();
        for (int i = 0; i < messages.size(); i++) {
            String sender = senders.get(i);
            found.put(sender.isEmpty() ? null : Hosting.name(sender), messages.get(i));
        }
        return found;
    }

    /** The actors that sent them. The scenario is none. */
    Object fromWhom() {
        Set<ActorName> names = new HashSet<>();
        for (String sender : senders) {
            if (!sender.isEmpty()) {
                names.add(Hosting.name(sender));
            }
        }
        return names;
    }
}
