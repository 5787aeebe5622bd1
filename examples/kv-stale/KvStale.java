package kvstale;

import harrier.ActorName;
import harrier.Handler;
import kv.Follower;
import kv.Kv;
import kv.Messages.Request;
import kv.Messages.Response;

/**
 * The key-value store with reads from the follower, which may not have what the leader answered.
 *
 * <p>Expected: violated (operations are linearizable (Entry)).
 */
public final class KvStale extends Kv {
    @Override
    protected Follower follower() {
        return new Answering();
    }

    @Override
    protected boolean isReadFromFollower() {
        return true;
    }

    /** Answers reads from its copy. */
    static final class Answering extends Follower {
        @Handler
        void on(Request m, ActorName client) {
            reply(new Response(m.number(), data.get(m.command().key())));
        }
    }
}
