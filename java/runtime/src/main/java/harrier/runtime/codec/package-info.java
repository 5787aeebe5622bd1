/**
 * Turns local states and messages into bytes and back; docs/reference.md defines the bytes. {@link harrier.runtime.codec.Codec} is what
 * the rest of the runtime asks.
 *
 * <p>{@link harrier.runtime.codec.format} has bytes and tags, {@link harrier.runtime.codec.graph} writes and reads graphs of objects by a
 * plan for each class, {@link harrier.runtime.codec.jdk} has the plans of the JDK's classes, and {@code PlanChoice} chooses the plan of a
 * class. The golden vectors (serializer/testdata/golden.txt) hold this and Go's package serializer to the same bytes.
 *
 * <p><b>To add a kind of class</b>: a plan, beside those that it is like, and a line in {@code PlanChoice}; for a class of the JDK, see
 * {@code harrier.runtime.jdk}.
 */
package harrier.runtime.codec;
