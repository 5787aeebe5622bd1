package harrier.host;

/** Who decides what code of programs may do, thread by thread. */
public interface Controls {
    /** Who decides on this thread; null if it is not one that runs programs. */
    Control here();

    /** Refuses code that runs on another thread, and returns the error to throw. */
    Error refuseThread(String place);
}
