/**
 * Finds which fields of actors and messages are <em>auxiliary</em>: those that cannot influence what a
 * step does to the rest, nor what a property says.
 *
 * <p>This is the decomposition of Saissi, Bokor, Muftuoglu, Suri and Serafini, "Efficient Verification of
 * Distributed Protocols Using Stateful Model Checking" (SRDS 2013), section III, Definition 1: a state is
 * a relevant part and an auxiliary part; states with equal relevant parts enable the same transitions,
 * which lead to equal relevant parts. There a domain expert decides; here the bytecode does.
 *
 * <p>One graph says what may influence what ({@link harrier.runtime.analysis.Graph}). Its nodes are the
 * fields, the values that methods compute, the calls of methods; all that must not depend on auxiliary
 * fields is its node {@link harrier.runtime.analysis.Graph#RELEVANT}, or
 * {@link harrier.runtime.analysis.Graph#PROPERTIES} for what properties say. The fields from which neither
 * can be reached are auxiliary. {@link harrier.runtime.analysis.Flow} and
 * {@link harrier.runtime.analysis.Control} look at one method each, {@link harrier.runtime.analysis.Reach}
 * finds the methods, {@link harrier.runtime.analysis.Influences} and its helpers draw the edges, and
 * {@link harrier.runtime.analysis.Decomposition} gives the answer.
 *
 * <p>What partial-order reduction goes by is found in the same code. {@link harrier.runtime.analysis.VisibleFields} finds
 * the fields that invariants may read. {@link harrier.runtime.analysis.Footprints} says what handlers may read, write and send;
 * {@link harrier.runtime.analysis.Objects} says for it which objects are changed, and
 * {@link harrier.runtime.analysis.SendTargets} who gets messages.
 *
 * <p>What is not known to be harmless is relevant: calls to code that is not seen, and whatever may throw.
 */
package harrier.runtime.analysis;
