package org.apache.pekko.dispatch;

/** The library's class of this name, in checks: messages that wait, and how often the actor is suspended. */
public abstract class Mailbox {
    /** What the library adds to the status when an actor is suspended once. */
    private static final int SUSPENDED = 4;

    private int suspended;

    public abstract MessageQueue messageQueue();

    public final void suspend() {
        suspended++;
    }

    public final void resume() {
        suspended = Math.max(0, suspended - 1);
    }

    public final int suspendCount() {
        return suspended;
    }

    public final boolean isSuspended() {
        return suspended > 0;
    }

    public final int currentStatus() {
        return suspended * SUSPENDED;
    }
}
