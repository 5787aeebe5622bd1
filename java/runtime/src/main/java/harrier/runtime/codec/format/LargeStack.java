package harrier.runtime.codec.format;

import harrier.host.Control;
import harrier.host.Hooks;
import java.util.function.IntFunction;

/**
 * Deep recursion. What nests a little is done on the caller's stack. What nests more is done anew on a
 * thread with a stack that is large enough for all that the format allows, so that no caller's stack
 * overflows, however small it is. Of the program's code only static initializers run there.
 */
public final class LargeStack {
    private static final int A_LITTLE = 200;
    private static final long BYTES = 64L << 20;

    private LargeStack() {}

    /** Thrown if values nest deeper than was asked for. */
    @SuppressWarnings("serial")
    public static final class Needed extends RuntimeException {
        private static final Needed INSTANCE = new Needed();

        private Needed() {
            super(null, null, false, false);
        }
    }

    /** What {@code work} returns for a number of levels that is deep enough. */
    public static <T> T call(IntFunction<T> work) {
        try {
            return work.apply(A_LITTLE);
        } catch (Needed e) {
            return new Call<>(work).result();
        }
    }

    /** Fails if {@code depth} is more than {@code levels}, but not more than the format allows. */
    public static void check(int depth, int levels) {
        if (depth > levels && levels < Tag.DEEPEST) {
            throw Needed.INSTANCE;
        }
    }

    private static final class Call<T> extends Thread {
        private final IntFunction<T> work;
        private final Control control = Hooks.bound();
        private T result;
        private Throwable failure;

        Call(IntFunction<T> work) {
            super(null, null, "harrier-codec", BYTES);
            this.work = work;
            setDaemon(true);
        }

        @Override
        public void run() {
            if (control != null) {
                control.lend();
            }
            try {
                result = work.apply(Tag.DEEPEST);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }

        T result() {
            start();
            boolean interrupted = false;
            while (true) {
                try {
                    join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure != null) {
                throw (RuntimeException) failure;
            }
            return result;
        }
    }
}
