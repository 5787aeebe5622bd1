package harrier.host;

import java.util.Random;

/** What {@code new Random()} makes: it may be kept, but whoever draws from it is refused, the JDK's own code as well. */
public final class UnseededRandom extends Random {
    private static final long serialVersionUID = 1;

    private boolean isSeeded;

    UnseededRandom(long seed) {
        super(seed);
        isSeeded = false; // the constructor above sets the seed
    }

    @Override
    public synchronized void setSeed(long seed) {
        super.setSeed(seed);
        isSeeded = true;
    }

    @Override
    protected int next(int bits) {
        if (!isSeeded) {
            Hooks.control("a java.util.Random without a seed").drawUnseeded();
        }
        return super.next(bits);
    }

    /** Whether it was given a seed after all. */
    public boolean isSeeded() {
        return isSeeded;
    }
}
