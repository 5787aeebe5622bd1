package harrier.host;

import harrier.host.Wait.Kind;

/** What a thread of a pool does: it takes tasks and runs them. A task that never waits leaves no frames. */
public final class Worker implements Runnable, ThreadState {
    private static final String METHOD = "java.util.concurrent.ThreadPoolExecutor$Worker.run()V";
    private static final int IN_TASK = 1;
    private static final int IDLE = 2;

    final Pool pool;
    ActorThread thread;
    /** The task that it is to begin with; null if it takes one from the queue. */
    Runnable hand;
    /** The task that it is in the middle of. */
    Runnable running;

    Worker(Pool pool, Runnable hand) {
        this.pool = pool;
        this.hand = hand;
    }

    /** Reports whether it has nothing to do. */
    boolean isIdle() {
        return hand == null && running == null;
    }

    /** Reports whether it can go on where it waits for a task. */
    boolean isReady() {
        return pool.isReady(this);
    }

    /** What it is in the middle of, or is to do next; null if that is nothing. */
    Runnable task() {
        return running != null ? running : hand != null ? hand : pool.peek();
    }

    /** What its thread is doing, for people. */
    @Override
    public String toString() {
        return thread.description();
    }

    @Override
    public void run() {
        boolean isInTask = Frames.place() == IN_TASK;
        while (true) {
            if (!isInTask) {
                if (Threads.pass(Kind.TASK, this, null, Wait.FOREVER, false, "") == null) {
                    Frames.saved(this, METHOD, 0, IDLE);
                    return;
                }
                running = hand == null ? pool.next() : hand;
                hand = null;
                if (running == null) {
                    pool.ended(this);
                    return;
                }
                pool.before(this);
            }
            isInTask = false;
            try {
                running.run();
            } catch (RuntimeException | Error e) {
                ended(e);
                pool.ended(this);
                throw e;
            }
            if (Frames.isLeft()) {
                Frames.saved(this, METHOD, 0, IN_TASK);
                return;
            }
            ended(null);
        }
    }

    private void ended(Throwable thrown) {
        Runnable task = running;
        running = null;
        pool.after(task, thrown);
    }
}
