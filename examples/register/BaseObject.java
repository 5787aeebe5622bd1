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

    /** How many requests each client made. */
    private final Map<ActorName, Integer> served = new HashMap<>();

    @Handler
    void on(Store m, ActorName writer) {
        served.merge(writer, 1, Integer::sum);
        if (m.version().isNewerThan(current)) {
            current = m.version();
            log.add(current);
        }
        reply(new Stored(m.version().timestamp(), log.size()));
    }

    @Handler
    void on(Fetch m, ActorName reader) {
        served.merge(reader, 1, Integer::sum);
        reply(new Fetched(m.request(), current));
    }
}
