package harrier.host;

import java.time.Instant;

/** What surrounds code of a program while it runs, whether or not it is an actor's. */
public interface World {
    /** A copy of a value, made as messages are frozen; null for null. */
    <T> T copy(T value);

    /** Something is about to be written to a durable store. */
    void writing(Object store);

    /** It is there. */
    void written();

    /** Where clocks start. */
    Instant startOfTime();

    /** Reports whether time goes on by itself. */
    default boolean timeGoesOn() {
        return false;
    }

    /** Stands for the actor that asks. */
    Object SELF = new Object();
    /** Stands for any port. */
    int ANY_PORT = 0;

    /** The name of the actor that has an address, or {@link #SELF}; null if no actor has it. */
    default Object actorAt(String host, int port) {
        return null;
    }

    /** Reports whether a message may arrive more than once. */
    default boolean repeats() {
        return false;
    }

    /** Reports whether what one call writes to a connection may arrive in parts. */
    default boolean fragments() {
        return false;
    }

    /** The digits of the address of an actor. */
    default byte[] addressOf(String actor) {
        return null;
    }

    /**
     * The world of the code that runs on this thread.
     *
     * @throws IllegalStateException if harrier runs no code of a program on it
     */
    static World current() {
        World world = Worlds.CURRENT.get();
        if (world == null) {
            throw new IllegalStateException("this works while harrier runs a program only");
        }
        return world;
    }

    /** Where time starts for the code that runs on this thread, whether or not it is a program's. */
    static Instant startOfTimeHere() {
        World world = Worlds.CURRENT.get();
        return world == null ? Instant.EPOCH : world.startOfTime();
    }

    /** Reports whether time goes on by itself for the code that runs on this thread. */
    static boolean timeGoesOnHere() {
        World world = Worlds.CURRENT.get();
        return world != null && world.timeGoesOn();
    }

    /** Makes this the world of code that runs on this thread from now on, and returns the one before, or null. */
    static World enter(World world) {
        World before = Worlds.CURRENT.get();
        Worlds.CURRENT.set(world);
        return before;
    }
}
