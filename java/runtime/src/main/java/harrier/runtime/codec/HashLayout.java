package harrier.runtime.codec;

/** Where hash collections put their elements when they are decoded. */
public enum HashLayout {
    /** In the order of the encoding, into tables of the usual size. */
    PLAIN,
    /** In the opposite order, into larger tables, so that a program that depends on the order shows it. */
    OPPOSITE
}
