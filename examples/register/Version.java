package register;

/** A value and when it was written: later writes have higher timestamps. */
record Version(int timestamp, int value) {
    /** What the register holds before anything is written. */
    static final Version INITIAL = new Version(0, 0);

    boolean isNewerThan(Version other) {
        return timestamp > other.timestamp;
    }
}
