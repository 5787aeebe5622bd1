package harrier.runtime.analysis.slice;

/** What is known of a field. The order is that of the numbers on the wire. */
public enum Verdict {
    /** It may influence what a check observes. */
    RELEVANT,
    /** It cannot, as the analysis found. */
    INFERRED,
    /** It is declared auxiliary, and the analysis found the same. */
    DECLARED,
    /** It is declared auxiliary, and nothing was seen that speaks against it. */
    BELIEVED,
    /** It is declared auxiliary, and code was seen that makes something relevant depend on it. */
    CONTRADICTED;

    /** Reports whether states may be told apart without the field. */
    public boolean auxiliary() {
        return this == INFERRED || this == DECLARED || this == BELIEVED;
    }
}
