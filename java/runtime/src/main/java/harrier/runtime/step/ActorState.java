package harrier.runtime.step;

/**
 * An actor with its local state.
 *
 * @param name its name
 * @param type the name of its class
 * @param local its local state, encoded
 * @param acts whether it may do something by itself
 */
public record ActorState(String name, String type, byte[] local, boolean acts) {}
