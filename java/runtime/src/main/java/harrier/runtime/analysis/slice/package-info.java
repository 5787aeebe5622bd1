/**
 * Which fields and senders of messages may influence what matters: a slice through the whole program, backwards.
 *
 * <p>One {@link harrier.runtime.analysis.slice.Graph} has an edge from a to b if the value of a may influence that of b. Its
 * nodes are the fields and what objects of a type hold ({@link harrier.runtime.analysis.slice.Heap}), the values that methods
 * compute, and two that stand for what must not depend on auxiliary fields:
 * {@link harrier.runtime.analysis.slice.Graph#RELEVANT}, and {@link harrier.runtime.analysis.slice.Graph#PROPERTIES} for what
 * properties say. {@link harrier.runtime.analysis.slice.Criterion} draws the edges to these that hold by definition,
 * {@link harrier.runtime.analysis.slice.Influences} those of all instructions ({@code Instructions}, {@code Calls},
 * {@code ForeignCalls}; {@link harrier.runtime.analysis.slice.Edges} has what they share), and
 * {@link harrier.runtime.analysis.slice.Senders} those of senders. A field is auxiliary if neither node can be reached from it;
 * otherwise {@link harrier.runtime.analysis.slice.Reasons} tells the shortest way.
 *
 * <p>{@code Stores} and {@code Constructors} find what the program stores in fields, {@code Nulls} which values are never
 * null, and {@code Containers} what collections hold, so that fewer instructions may throw.
 *
 * <p><b>What belongs here</b>: an edge for an instruction or a call that is not known yet. An instruction without an edge
 * counts as influencing everything.
 */
package harrier.runtime.analysis.slice;
