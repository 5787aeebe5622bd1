/**
 * Writes and reads graphs of objects. {@link harrier.runtime.codec.graph.Encoder} is one encoding in the making,
 * {@link harrier.runtime.codec.graph.Decoder} one decoding; both ask {@link harrier.runtime.codec.graph.Plans} for the
 * {@link harrier.runtime.codec.graph.Plan} of each class, which writes and reads the values of that class and calls them for the values
 * inside.
 *
 * <p>{@link harrier.runtime.codec.graph.Numbers} says which objects were met before, {@code Unordered} sorts the elements of
 * unordered collections by their bytes, {@link harrier.runtime.codec.graph.Constants} has the objects that are written as the static fields that lead to
 * them, {@link harrier.runtime.codec.graph.Merging} decodes equal values as one object when a step is executed
 * again, which shows code that compares them by {@code ==}. A
 * {@link harrier.runtime.codec.graph.Walk} visits values in place of writing them: to find who holds an object
 * ({@link harrier.runtime.codec.graph.HeldObjects}), or which ways lead to it.
 *
 * <p>Plans of the language's classes are here: of fields, parts, arrays, enums and proxies. <b>What belongs here</b>: a plan for a kind of class that
 * is none of the JDK's. What a plan writes must be all that a later step could tell apart.
 */
package harrier.runtime.codec.graph;
