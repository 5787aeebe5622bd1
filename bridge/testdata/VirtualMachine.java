package harrier.runtime.rules;

/** Stands for the class that is told of exceptions. */
final class VirtualMachine {
    private static volatile boolean missed;

    private VirtualMachine() {}

    private static void thrown(Throwable thrown, long catcher, long location) {}

    private static native void tellMissed();

    static native String place(long method, long location);

    static native int stop(Thread thread, Throwable thrown);
}
