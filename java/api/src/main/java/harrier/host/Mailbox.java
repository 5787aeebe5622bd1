package harrier.host;

import java.util.List;

/** The thread of an actor that runs its handlers, timers and tasks: one of them at a time, to its end. */
public final class Mailbox extends ActorThread {
    /** The label of what waits in the middle. */
    private String begun;
    /** Who sent the messages that it handles. */
    private List<String> senders;
    /** The task that waits in the middle; null if it is none. */
    Task<?> task;
    /** Whether the program has got hold of it. */
    boolean isKnown;

    Mailbox() {
        super("main");
        isStarted = true;
    }

    /** Notes what waits in the middle. */
    public void begin(String label, List<String> from) {
        begun = label;
        senders = from;
    }

    /** Notes that what waited in the middle is through. */
    public void end() {
        begun = null;
        senders = null;
        task = null;
    }

    /** The label of what waits in the middle. */
    public String begun() {
        return begun;
    }

    /** Who sent the messages that it handles. */
    public List<String> senders() {
        return senders;
    }

    /** The task that waits in the middle; null if it is none. */
    public Task<?> task() {
        return task;
    }

    /** Reports whether it waits in the middle of something, so that nothing else begins. */
    public boolean isBusy() {
        return wait != null;
    }

    /** Reports whether it is not as a new one. */
    public boolean isKept() {
        return isKnown || isBusy() || isFlagged || mayPass || !held.isEmpty() || !locals.isEmpty();
    }
}
