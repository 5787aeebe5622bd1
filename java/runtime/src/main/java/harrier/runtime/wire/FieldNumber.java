package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** Values among the indices and numbers in a Judgement that are neither. */
public final class FieldNumber {
    /** ANY stands for the numbers of all fields in Judgement.Fields. It is a power of two, above all numbers. */
    public static final int ANY = 4096;

    private FieldNumber() {}
}
