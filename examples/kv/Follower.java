package kv;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.HashMap;
import java.util.Map;
import kv.Messages.Update;
import kv.Messages.Updated;

/** Has a copy of the leader's data. */
public class Follower extends Actor {
    protected Map<String, Integer> data = new HashMap<>();

    @Handler
    void on(Update m) {
        data = m.data();
        reply(new Updated());
    }
}
