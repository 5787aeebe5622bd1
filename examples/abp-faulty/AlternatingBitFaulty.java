package abpfaulty;

import abp.AlternatingBit;

/**
 * The alternating-bit protocol with a receiver that does not look at the bit.
 *
 * <p>Expected: violated (values arrive in order, and each once).
 */
public final class AlternatingBitFaulty extends AlternatingBit {
    @Override
    protected Receiver receiver() {
        return new Gullible();
    }

    /** Takes every message for a new one. */
    static final class Gullible extends Receiver {
        @Override
        protected boolean isNew(boolean bit, boolean expected) {
            return true;
        }
    }
}
