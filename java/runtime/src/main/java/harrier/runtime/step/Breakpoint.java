package harrier.runtime.step;

/** A place for a breakpoint that stops a replay before each handler. */
public final class Breakpoint {
    private Breakpoint() {}

    /**
     * Is called before a handler of a trace runs.
     *
     * @param step the number of the step in the trace, from 1
     * @param actor the name of the actor
     * @param handler what the trace calls the handler
     */
    public static void before(int step, String actor, String handler) {}
}
