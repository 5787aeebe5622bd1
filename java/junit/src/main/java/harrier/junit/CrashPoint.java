package harrier.junit;

/** Where in a handler its actor crashes, and how far the handler has come. */
final class CrashPoint {
    /**
     * As in the trace: twice the number of effects that are over, plus one right before the next, or the end. Negative
     * for nowhere.
     */
    private final int point;
    private int over;
    /** How many are not over: what an actor does that the handler creates is a part of one. */
    private int open;

    CrashPoint(int point) {
        this.point = point;
    }

    /** The actor crashes. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1;

        Crash() {
            super(null, null, false, false);
        }
    }

    /** The handler begins. */
    void start() {
        reach(0);
    }

    /** It begins to do something that others, or its actor after a crash, can notice. */
    void begins() {
        if (open == 0) {
            reach(2 * over + 1);
        }
        open++;
    }

    /** That is over. */
    void ends() {
        if (--open == 0) {
            over++;
            reach(2 * over);
        }
    }

    /** The handler is through. */
    void end() {
        reach(2 * over + 1);
    }

    private void reach(int here) {
        if (point == here) {
            throw new Crash();
        }
    }
}
