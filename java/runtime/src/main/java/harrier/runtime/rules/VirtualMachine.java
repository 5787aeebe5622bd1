package harrier.runtime.rules;

/** The tool interface of the virtual machine, by methods that are native: {@code jni.c} in package bridge has them, and calls others. */
final class VirtualMachine {
    /** Set when a thread threw something while too little of its stack was left to call {@link #thrown}. */
    private static volatile boolean missed;

    private VirtualMachine() {}

    /**
     * Called where something is thrown, before its handler runs.
     *
     * @param catcher the number of the method that catches it; 0 if native code does
     * @param location of the handler in that method
     */
    private static void thrown(Throwable thrown, long catcher, long location) {
        Guard.thrown(thrown, catcher, location);
    }

    /** Has {@link #thrown} called for what this thread threw when it could not be. */
    static void callMissed() {
        if (missed) {
            tellMissed();
        }
    }

    private static native void tellMissed();

    /** The class of a method, as a descriptor, its name, and the line of a location in it, -1 if that is unknown, each on a line. */
    static native String place(long method, long location);

    /** Has a thread throw something very soon. Returns the number of an error, 0 for none. */
    static native int stop(Thread thread, Throwable thrown);
}
