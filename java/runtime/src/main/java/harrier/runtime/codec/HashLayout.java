package harrier.runtime.codec;

/** Where hash collections put their elements when they are decoded. */
public enum HashLayout {
    /** In the order of the encoding, into tables of the usual size. */
    PLAIN,
    /**
     * So that they iterate in the opposite order, where that can be had, else in another: a program that
     * depends on the order shows it.
     */
    OPPOSITE
}
