/**
 * Local steps: what an actor in a local state may do with the messages that wait for it, and the outcomes of that.
 *
 * <p>{@link harrier.runtime.step.Steps} is where questions arrive: a local state, perhaps messages, as bytes. It has an
 * {@link harrier.runtime.step.Exploration} take each {@link harrier.runtime.step.Act} that is possible there, on
 * objects that are decoded for it alone, once for each series of answers of {@code choose}
 * ({@link harrier.runtime.step.Choices}). {@link harrier.runtime.step.Effects} collects what the code does, through the
 * {@link harrier.runtime.step.ActorHost} that an actor has while a step runs, and {@link harrier.runtime.step.Capture} encodes it; a
 * step is one {@link harrier.runtime.step.Outcome} or several.
 *
 * <p><b>To add something that an actor does by itself</b>: an {@code Act} of {@code InternalEvents}, an
 * {@link harrier.runtime.wire.EventKind}, and, if it is kept between steps, a field of local states ({@link harrier.runtime.actor}).
 */
package harrier.runtime.step;
