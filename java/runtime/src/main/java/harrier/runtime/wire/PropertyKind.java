package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** A PropertyKind says when a property must hold. */
public enum PropertyKind {
    /** INVARIANT must hold in every reachable state. */
    INVARIANT,
    /** FINAL must hold in every state in which no event is enabled. */
    FINAL,
    /** PREDICATE need not hold anywhere: liveness properties ask for it. */
    PREDICATE,
    /** STEP must hold of every local step. The oracle decides it: a step that violates it is a Failure. */
    STEP,
    /**
     * WITHIN holds in the states that a check is about: runs are followed up to the first state in which it does not
     * hold.
     */
    WITHIN,
}
