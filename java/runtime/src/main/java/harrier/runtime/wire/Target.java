package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** Target says whom a message may go to. */
public enum Target {
    /** TO_ANYBODY is all actors. */
    TO_ANYBODY,
    /** TO_SENDER is who sent the message that the handler consumes. */
    TO_SENDER,
    /** TO_SELF is the actor itself. */
    TO_SELF,
    /**
     * TO_FIELD is an actor whose name is in a field that no handler writes, itself or in a role or collection: its
     * value at the start says who that may be.
     */
    TO_FIELD,
}
