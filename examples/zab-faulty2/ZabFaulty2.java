package zabfaulty2;

import harrier.ActorName;
import java.util.List;
import zab.Leader;
import zab.Zab;
import zab.Zxid;

/**
 * Zab in which a leader compares histories by the epochs that the followers are in, and forgets the
 * zxids. Of two followers in the same epoch it may take over the history that lacks a transaction which
 * was delivered elsewhere.
 *
 * <p>Expected: violated (followers deliver the same transactions in the same order, each once).
 */
public final class ZabFaulty2 extends Zab {
    @Override
    protected Leader leader(int id, List<ActorName> followers, boolean timer) {
        return new EpochsOnly(id, followers, broadcasts, timer);
    }

    /** Takes the first history of the latest epoch. */
    static final class EpochsOnly extends Leader {
        EpochsOnly(int id, List<ActorName> followers, int broadcasts, boolean timer) {
            super(id, followers, broadcasts, timer);
        }

        @Override
        protected boolean moreRecent(int current, Zxid last, int thanCurrent, Zxid thanLast) {
            return current > thanCurrent;
        }
    }
}
