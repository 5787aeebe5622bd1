package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** Verdict reports whether a field is relevant or auxiliary, and how that is known. */
public enum Verdict {
    /** RELEVANT fields may influence enabled events, messages, created actors, choices, failures or properties. */
    RELEVANT,
    /** INFERRED fields are auxiliary: the analysis of the program's bytecode shows it. */
    INFERRED,
    /** DECLARED fields are marked @Auxiliary, and the analysis shows that they are. */
    DECLARED,
    /** BELIEVED fields are marked @Auxiliary, and the analysis could not show that they are. */
    BELIEVED,
    /**
     * CONTRADICTED fields are marked @Auxiliary, and the analysis shows that they are not. Such a program is
     * refused, so no facts of a loaded one have it.
     */
    CONTRADICTED,
}
