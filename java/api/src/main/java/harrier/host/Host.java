package harrier.host;

import harrier.Actor;
import harrier.ActorName;

/** What one running step offers its {@link Actor}. Implemented by whatever runs the actor. */
public interface Host {
    /** The name of the actor whose step runs. */
    ActorName self();

    /**
     * The sender of the message being handled.
     *
     * @throws IllegalStateException if no actor sent it
     */
    ActorName sender();

    /** Sends a message; it is frozen before this returns. */
    void send(ActorName to, Object message);

    /** Names and starts a child of the actor whose step runs. */
    ActorName create(String role, Actor child);

    /** One of the numbers 0 to {@code n - 1}. */
    int choose(int n);

    /** Records that an operation of the actor begins; it is frozen before this returns. */
    void invoked(Object operation);

    /** Records that the actor's operation ends. */
    void returned(Object result);

    /**
     * Sets a timer in place of an equal one; its value is frozen before this returns.
     *
     * @param min after how many nanoseconds it may fire
     * @param max after how many nanoseconds it must fire
     */
    void setTimer(Object timer, long min, long max);

    /** Takes a timer off the agenda, and reports whether it was there. */
    boolean cancelTimer(Object timer);

    /** Ends the actor with this step. */
    void stop();

    /**
     * Fails if what runs must only read.
     *
     * @param method what it calls that changes the actor's agenda
     */
    void requireChanging(String method);
}
