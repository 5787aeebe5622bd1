package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** A RecordKind is the end of an operation that a record is about. */
public enum RecordKind {
    /** INVOKED begins an operation. */
    INVOKED,
    /** RETURNED ends the pending operation of the actor. */
    RETURNED,
    /** ABANDONED says that the actor's operation, if one is pending, never ends: the actor crashed. */
    ABANDONED,
}
