package harrier.host;

/** An object that is told before each time it is captured, and after it was decoded. Its transient fields are not captured. */
public interface Resumed extends ThreadState {
    /** Puts what transient fields say into the others. */
    void capture();

    /** All objects have their fields. */
    default void resume() {}
}
