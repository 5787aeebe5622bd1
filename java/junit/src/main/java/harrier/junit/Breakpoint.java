package harrier.junit;

/** A place for a breakpoint that stops {@link Harrier#replay} before each step. */
public final class Breakpoint {
    private Breakpoint() {}

    /**
     * Is called before each step of a trace.
     *
     * @param step its number in the trace, from 1
     * @param actor the name of the actor
     * @param event the handler that runs; else what kind of event it is
     */
    public static void before(int step, String actor, String event) {}
}
