import harrier.ActorName;
import java.util.List;

/**
 * Two-phase commit whose coordinator commits at the first yes.
 *
 * <p>Expected: violated (nobody commits while another aborts).
 */
public final class TwoPhaseCommitFaulty extends TwoPhaseCommit {
    @Override
    Coordinator coordinator(List<ActorName> participants) {
        return new Hasty(participants);
    }

    /** Does not wait for the others. */
    static final class Hasty extends Coordinator {
        Hasty(List<ActorName> participants) {
            super(participants);
        }

        @Override
        boolean mayCommit(int agreed, int participants) {
            return agreed >= 1;
        }
    }
}
