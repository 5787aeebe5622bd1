package harrier.host;

import java.util.List;

/** What the first thread of a process does: it runs the program. */
public final class MainThread implements Runnable, ThreadState {
    /** What a program does. */
    public interface Body {
        void run() throws Exception;
    }

    private final Body body;

    private MainThread(Body body) {
        this.body = body;
    }

    /** Adds the first thread of a process to its agenda. */
    public static void start(Agenda agenda, Body body) {
        ActorThread thread = new ActorThread(new MainThread(body), "main");
        thread.isStarted = true;
        thread.wait = new Wait(Wait.Kind.START, null, null, false, "");
        agenda.threads.add(thread);
    }

    @Override
    public void run() {
        Frames.place();
        try {
            body.run();
        } catch (Throwable e) {
            throw Thrown.asItIs(e);
        }
        if (Frames.isLeft()) {
            Frames.saved(this, "main", 0, 1);
        }
    }

    /**
     * Ends a process whose threads are all daemons, or have ended: its shutdown hooks run, and what it has of the network ends with it. As
     * they end, so do all other threads.
     */
    public static void exitIfDone(Object actor, Agenda agenda) throws Throwable {
        boolean isExiting = agenda.isExiting();
        for (ActorThread thread : agenda.threads) {
            if (thread.isRunning() && (isExiting ? thread.isHook : !thread.isOfDaemon)) {
                return;
            }
        }
        List<ActorThread> hooks = agenda.threads.stream().filter(t -> t.isHook && !t.isStarted).toList();
        for (ActorThread hook : hooks) {
            hook.isStarted = true;
            hook.wait = new Wait(Wait.Kind.START, null, null, false, "");
        }
        if (!hooks.isEmpty()) {
            return;
        }
        agenda.threads.clear();
        agenda.delayed.clear();
        if (agenda.sockets != null) {
            agenda.sockets.exit(actor, agenda);
        }
    }
}
