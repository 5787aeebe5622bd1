package harrier.pekko;

import harrier.ActorName;

/** Sends the messages told on a thread: the actor whose step runs, or the scenario's set-up. */
interface Outbox {
    /** The outbox of this thread. */
    ThreadLocal<Outbox> HERE = new ThreadLocal<>();

    void tell(ActorName to, Object message);

    /** The actor; null if it is the set-up. */
    default LibraryActor actor() {
        return null;
    }

    /** Has code tell by this. */
    default void during(Runnable code) {
        Outbox before = HERE.get();
        HERE.set(this);
        try {
            code.run();
        } finally {
            HERE.set(before);
        }
    }

    /** That of the code that runs. */
    static Outbox here() {
        Outbox here = HERE.get();
        if (here == null) {
            throw new AssertionError("no actor runs on this thread: send the results of futures to the actor by pipeToSelf");
        }
        return here;
    }
}
