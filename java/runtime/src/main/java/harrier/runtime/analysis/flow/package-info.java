/**
 * The program as bytecode: its classes, the methods that may run, and in each method where values come from.
 *
 * <p>{@link harrier.runtime.analysis.flow.Classes} has the classes by name. {@link harrier.runtime.analysis.flow.Roots} has the
 * methods that the runtime calls, and {@link harrier.runtime.analysis.flow.Reach} finds from these all that may run, each as a
 * {@link harrier.runtime.analysis.flow.Code}: its data flow ({@code Flow} finds it: a
 * {@link harrier.runtime.analysis.flow.Def} is where a value is made) and its control dependence
 * ({@link harrier.runtime.analysis.flow.Control}).
 *
 * <p>What is known of methods outside of the program is here, too. {@link harrier.runtime.analysis.flow.Jdk} says what a
 * method does to objects that it is given, by a table made from the JDK's bytecode ({@code make jdk-effects}).
 * {@link harrier.runtime.analysis.flow.Library} has methods that are known to be total.
 *
 * <p>Added here: what one class or one method says by itself. What follows for fields, handlers or properties belongs in
 * {@link harrier.runtime.analysis.slice} or {@link harrier.runtime.analysis.footprint}.
 */
package harrier.runtime.analysis.flow;
