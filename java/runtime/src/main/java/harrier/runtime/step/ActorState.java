package harrier.runtime.step;

/**
 * An actor with its local state.
 *
 * @param name its name
 * @param type the name of its class
 * @param local its local state, encoded
 * @param acts whether it may do something by itself
 */
public record ActorState(String name, String type, byte[] local, boolean acts) {
    /** An actor of which it does not matter whether it acts. */
    public ActorState(String name, String type, byte[] local) {
        this(name, type, local, false);
    }
}
