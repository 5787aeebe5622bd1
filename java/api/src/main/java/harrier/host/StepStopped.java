package harrier.host;

/** Ends an execution that does not return. Code of the program does not keep it: {@link Hooks#caught} throws it again. */
public final class StepStopped extends Error {
    private static final long serialVersionUID = 1;

    /**
     * Of what the calling thread does.
     *
     * @param message why it is stopped
     */
    public StepStopped(String message) {
        super(message);
    }

    /**
     * Of what another thread does.
     *
     * @param message why it is stopped
     * @param place the frames of its stack
     */
    public StepStopped(String message, StackTraceElement[] place) {
        super(message);
        setStackTrace(place);
    }
}
