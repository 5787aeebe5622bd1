/**
 * The program as bytecode: its classes, the methods that may run, and in each method where values come from.
 *
 * <p>{@link harrier.runtime.analysis.flow.Classes} has the classes by name. {@link harrier.runtime.analysis.flow.Roots} has the
 * methods that the runtime calls, and {@link harrier.runtime.analysis.flow.Reach} finds from these all that may run, each as a
 * {@link harrier.runtime.analysis.flow.Code}: its data flow ({@code Flow} finds it: a
 * {@link harrier.runtime.analysis.flow.Def} is where a value is made) and its control dependence
 * ({@link harrier.runtime.analysis.flow.Control}).
 *
 * <p>{@link harrier.runtime.analysis.flow.Library} has the methods of the JDK that are known to be total; what else is known of the
 * JDK is in {@code harrier.runtime.jdk}.
 *
 * <p><b>What belongs here</b>: what one class or one method says by itself. What follows for fields, handlers or properties belongs in
 * {@link harrier.runtime.analysis.slice} or {@link harrier.runtime.analysis.footprint}.
 */
package harrier.runtime.analysis.flow;
