package harrier.host;

/**
 * What one running step offers its {@link harrier.Actor}. Implemented by whatever runs the actor, as far as the actor may do such
 * things now.
 *
 * @param <N> names of actors
 * @param <A> actors
 */
public interface Host<N, A> {
    /** The name of the actor whose step runs. */
    N self();

    /**
     * The sender of the message being handled.
     *
     * @throws IllegalStateException if no actor sent it
     */
    default N sender() {
        throw refusal("reply");
    }

    /** Sends a message; it is frozen before this returns. */
    default void send(N to, Object message) {
        throw refusal("send");
    }

    /** Names and starts a child of the actor whose step runs. */
    default N create(String role, A child) {
        throw refusal("create");
    }

    /** One of the numbers 0 to {@code n - 1}. */
    default int choose(int n) {
        throw refusal("choose");
    }

    /** Records that an operation of the actor begins; it is frozen before this returns. */
    default void invoked(Object operation) {
        throw refusal("invoked");
    }

    /** Records that the actor's operation ends. */
    default void returned(Object result) {
        throw refusal("returned");
    }

    /**
     * Sets a timer in place of an equal one; its value is frozen before this returns.
     *
     * @param min after how many nanoseconds it may fire
     * @param max after how many nanoseconds it must fire
     */
    default void setTimer(Object timer, long min, long max) {
        throw refusal("setTimer");
    }

    /** Takes a timer off the agenda, and reports whether it was there. */
    default boolean cancelTimer(Object timer) {
        throw refusal("cancelTimer");
    }

    /** Asks for a notice when another actor goes. */
    default void watch(N actor) {
        throw refusal("watch");
    }

    /** Takes that back. */
    default void unwatch(N actor) {
        throw refusal("unwatch");
    }

    /** Closes the actor's connection with another one. */
    default void disconnect(N actor) {
        throw refusal("disconnect");
    }

    /** Ends the actor with this step. */
    default void stop() {
        throw refusal("stop");
    }

    /**
     * Fails if what runs must only read.
     *
     * @param method the called method that changes the actor's agenda
     */
    default void requireChanging(String method) {
        throw refusal(method);
    }

    /** The error of a method that does not work now. */
    default RuntimeException refusal(String method) {
        return new IllegalStateException(method + " does not work here");
    }
}
