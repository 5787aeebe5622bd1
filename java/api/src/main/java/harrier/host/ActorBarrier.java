package harrier.host;

import java.util.concurrent.CyclicBarrier;

/** A barrier of threads of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorBarrier extends CyclicBarrier implements ThreadState {
    private final int parties;
    private final Runnable action;
    private Round round;

    /** One use of the barrier. */
    static final class Round implements ThreadState {
        int missing;
        boolean isOver;
        boolean isBroken;

        Round(int missing) {
            this.missing = missing;
        }
    }

    public ActorBarrier(int parties) {
        this(parties, null);
    }

    public ActorBarrier(int parties, Runnable action) {
        super(parties);
        this.parties = parties;
        this.action = action;
        round = new Round(parties);
    }

    Round round() {
        return round;
    }

    /** Runs the barrier's action, as all threads have arrived, and begins the next round. */
    void trip() {
        if (action != null) {
            boolean isDone = false;
            try {
                Threads.whole("the action of a CyclicBarrier", action);
                isDone = true;
            } finally {
                round.isBroken = !isDone;
            }
        }
        round.isOver = true;
        round = new Round(parties);
    }

    @Override
    public void reset() {
        round.isBroken = true;
        round = new Round(parties);
    }

    @Override
    public boolean isBroken() {
        return round.isBroken;
    }

    @Override
    public int getParties() {
        return parties;
    }

    @Override
    public int getNumberWaiting() {
        return round.isBroken ? 0 : parties - round.missing;
    }
}
