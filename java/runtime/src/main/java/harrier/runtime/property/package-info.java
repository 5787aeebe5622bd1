/**
 * Properties: what a scenario says must hold, evaluated on the states of actors and on the history of their operations.
 *
 * <p>{@link harrier.runtime.property.Evaluator} is where questions arrive. {@link harrier.runtime.property.Reading} decodes what a property
 * reads when it reads it, and notes that, so that it is evaluated once for states that agree in what it reads.
 * {@link harrier.runtime.property.Temporal} has the formulas of properties of runs, whose predicates are evaluated likewise.
 * {@link harrier.runtime.property.Recording} is the history, kept by {@code Recorder} as bytes or decided step by step by
 * {@code LinearizabilityMonitor}.
 *
 * <p><b>To add a kind of property</b>: its annotation, a row of {@link harrier.PropertyAnnotation}, how {@code Evaluator} or
 * {@code Temporal} asks it if none is asked so yet, and its kind in Go's {@code internal/model} and {@code internal/property}.
 */
package harrier.runtime.property;
