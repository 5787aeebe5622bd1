package harrier.runtime.step;

/**
 * A kind of fault that the scenario allows.
 *
 * @param scope whom it befalls: of messages the receivers, of a split one side
 * @param budget how often it may happen in a run, or {@link harrier.host.Declaration#UNBOUNDED}
 * @param label what people call it
 */
public record Fault(EventKind kind, Scope scope, int budget, String label) {}
