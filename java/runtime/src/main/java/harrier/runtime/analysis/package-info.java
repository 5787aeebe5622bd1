/**
 * Finds, from a program's bytecode, which fields of actors and messages are <em>auxiliary</em>: those that cannot influence
 * what a step does to the rest, nor what a property says. It reads class files only, and runs nothing.
 *
 * <p>This is the decomposition of Saissi, Bokor, Muftuoglu, Suri and Serafini, "Efficient Verification of
 * Distributed Protocols Using Stateful Model Checking" (SRDS 2013), section III, Definition 1: a state is
 * a relevant part and an auxiliary part; states with equal relevant parts enable the same transitions,
 * which lead to equal relevant parts. There a domain expert decides; here the bytecode does.
 *
 * <p>{@link harrier.runtime.analysis.flow} reads classes and finds the methods that may run;
 * {@link harrier.runtime.analysis.slice} draws what may influence what; {@link harrier.runtime.analysis.footprint} finds what
 * handlers and properties may touch. The last two use the first, and not each other.
 * {@link harrier.runtime.analysis.Decomposition} puts them together; it and {@link harrier.runtime.analysis.Reachable} are
 * what the rest of the runtime asks.
 *
 * <p>Whatever is not known to be harmless is relevant: calls of code that is not seen, and instructions that may throw.
 */
package harrier.runtime.analysis;
