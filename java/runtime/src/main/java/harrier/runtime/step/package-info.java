/**
 * Local steps: what an actor in a local state may do with the messages that wait for it, and what each way of that
 * comes to.
 *
 * <p>{@link harrier.runtime.step.Steps} is where questions arrive: a local state, perhaps messages, as bytes. It has an
 * {@link harrier.runtime.step.Exploration} take each {@link harrier.runtime.step.Act} that is possible there, on
 * objects that are decoded for it alone, once for each series of answers of {@code choose}
 * ({@link harrier.runtime.step.Choices}). {@link harrier.runtime.step.Effects} collects what the code does, through the
 * {@code ActorHost} that an actor has while a step runs, and {@code Capture} encodes it; a step is one
 * {@link harrier.runtime.step.Outcome} or several. How actors are declared is read once, by {@code Handlers} and
 * {@code QuorumHandlers} into {@link harrier.runtime.step.ActorClass}, and {@link harrier.runtime.step.Declared} has
 * what the scenario's set-up says beside them.
 *
 * <p><b>To add something that an actor does by itself</b>: an {@code Act} of {@code InternalEvents}, an
 * {@link harrier.runtime.wire.EventKind}, and, if it is kept between steps, a field that
 * {@link harrier.runtime.step.Pending} writes and restores (<b>to add such a field</b>: a constant of Go's
 * {@code serializer/agenda.go} and {@code make java-constants}; {@code MayHavePending} there if it is work that waits;
 * {@code analysis.flow.ExternalEffect} for the calls that read it; docs/reference.md, the agenda).
 */
package harrier.runtime.step;
