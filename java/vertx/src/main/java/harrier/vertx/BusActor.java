package harrier.vertx;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Knows the consumers of all verticles. All that a verticle brings about in others goes through it, in the order in which the verticle does
 * it, as within one Vert.x: whoever learns of something finds the consumers that were registered before it.
 */
final class BusActor extends Actor {
    /** By address, in the order in which they were registered. */
    private final Map<String, List<Consumer>> consumers = new TreeMap<>();
    /** Who uses a local map, by its name. */
    private final Map<String, ActorName> maps = new TreeMap<>();

    private record Consumer(ActorName verticle, int number) {}

    @Handler
    void on(Mail.Registered m, ActorName verticle) {
        consumers.computeIfAbsent(m.address(), a -> new ArrayList<>()).add(new Consumer(verticle, m.consumer()));
    }

    @Handler
    void on(Mail.Unregistered m, ActorName verticle) {
        List<Consumer> all = consumers.get(m.address());
        all.remove(new Consumer(verticle, m.consumer()));
        if (all.isEmpty()) {
            consumers.remove(m.address());
        }
    }

    @Handler
    void on(Mail.Parcel m) {
        List<Consumer> all = consumers.getOrDefault(m.address(), List.of());
        if (!m.isSend()) {
            all.forEach(c -> deliver(c, m));
        } else if (!all.isEmpty()) {
            deliver(all.get(all.size() == 1 ? 0 : choose(all.size())), m); // which is not promised
        } else if (m.answer() != null) {
            ReplyException failure = new ReplyException(ReplyFailure.NO_HANDLERS, "No handlers for address " + m.address());
            send(m.answer().actor(), new Mail.Delivery(0, new Mail.Parcel(m.answer().address(), failure, null, true, null)));
        }
    }

    private void deliver(Consumer consumer, Mail.Parcel parcel) {
        send(consumer.verticle, new Mail.Delivery(consumer.number, parcel));
    }

    @Handler
    void on(Mail.PassOn m) {
        send(m.to(), m.mail());
    }

    @Handler
    void on(Mail.Uses m, ActorName verticle) {
        if (!maps.computeIfAbsent(m.map(), name -> verticle).equals(verticle)) {
            throw LocalVertx.unsupported("the local map \"" + m.map() + "\", which several verticles use,",
                "have one of them keep it, and the others ask that by the event bus");
        }
    }
}
