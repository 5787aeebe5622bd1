package kvforgetful;

import harrier.ActorName;
import java.util.List;
import kv.Kv;
import kv.Leader;

/**
 * The key-value store whose leader keeps data on disk, but not sessions. A request that it carried out before a crash,
 * and did not answer, comes again and is carried out twice.
 *
 * <p>Expected: violated (operations are linearizable (Entry)).
 */
public final class KvForgetful extends Kv {
    @Override
    protected Leader leader(ActorName follower, List<ActorName> clients) {
        return new Forgetful(follower, clients);
    }

    /** Starts again without sessions. */
    static final class Forgetful extends Leader {
        Forgetful(ActorName follower, List<ActorName> clients) {
            super(follower, clients);
        }

        @Override
        protected void onRestart() {
            sessions.clear();
            super.onRestart();
        }
    }
}
