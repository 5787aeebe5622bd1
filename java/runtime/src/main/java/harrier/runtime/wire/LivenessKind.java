package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** A LivenessKind says in which runs or states a formula must hold. */
public enum LivenessKind {
    /** ALWAYS must hold in all fair runs. */
    ALWAYS,
    /** SOMETIMES must hold in some state that a run comes to. */
    SOMETIMES,
    /** POSSIBLE must hold in some state that can be reached without faults, from each state that a run comes to. */
    POSSIBLE,
}
