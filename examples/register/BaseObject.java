package register;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import register.Messages.Fetch;
import register.Messages.Fetched;
import register.Messages.Store;
import register.Messages.Stored;

/** A storage server. It answers with the newest version that it was sent. */
final class BaseObject extends Actor {
    private Version current = Version.INITIAL;

    /** The versions that were current, the oldest first; somebody may have to find out what happened. */
    private final List<Version> log = new ArrayList<>();

    /** How many requests each client made, and who made the last one. */
    private final Map<ActorName, Integer> served = new HashMap<>();
    private ActorName lastClient;

    @Handler
    void on(Store m, ActorName writer) {
        note(writer);
        if (m.version().isNewerThan(current)) {
            current = m.version();
            log.add(current);
        }
        reply(new Stored(m.version().timestamp(), log.size()));
    }

    @Handler
    void on(Fetch m, ActorName reader) {
        note(reader);
        reply(new Fetched(m.request(), current));
    }

    private void note(ActorName client) {
        served.merge(client, 1, Integer::sum);
        lastClient = client;
    }
}
