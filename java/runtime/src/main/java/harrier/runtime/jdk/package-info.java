/**
 * The facts of the JDK's classes: a table for each question that the rest of the runtime asks. The steps to add a
 * class are below.
 *
 * <ul>
 * <li>{@link harrier.runtime.jdk.JdkClasses}: which classes may a step use?
 * <li>{@link harrier.runtime.jdk.JdkFields}: of which classes are the fields the state, and which fields are not?
 * <li>{@link harrier.runtime.jdk.JdkState}: which fields cannot show that a step changed what a static field leads to?
 * <li>{@link harrier.runtime.jdk.JdkMethods}: what does a method do to the objects that it is given? The table,
 * {@code methods.txt}, is made from bytecode and from {@code methods-given.txt} of the tests
 * ({@code make jdk-effects}).
 * <li>{@link harrier.runtime.jdk.JdkValues}: which objects may the analysis ignore the inside of?
 * <li>{@link harrier.runtime.jdk.JdkSites}: which methods give results that depend on hash codes?
 * {@link harrier.runtime.jdk.JdkRewrite} rewrites these, and others that no code may go past, as the virtual machine
 * starts.
 * </ul>
 *
 * <p>Tables whose lines need code are with it: {@code JdkCollections} and {@code JdkParts} of {@code codec} for classes
 * that are written by their content or by what makes them anew, {@code RefusedCalls} and {@code Replacements} of
 * {@code rules.refuse} for methods that a step must not call as they are, {@code Library} of {@code analysis.flow} for
 * methods that are total.
 *
 * <p><b>To add a class that states may hold</b>, say how it is written. If its fields are its state, name it in
 * {@code JdkFields}: among {@code VALUES} if it cannot change, or among {@code OBJECTS} if programs may tell two equal
 * ones apart. Otherwise give it a plan in {@code JdkCollections} or {@code JdkParts}, a new {@code Plan} if none
 * there fits, and a golden vector. Then
 * <ol>
 * <li>if the line of its package in {@code JdkClasses} has no {@code *}, name it there;
 * <li>add objects of it to {@code ObserversTest}, which calls all its methods that only look, on the objects and on
 * their decoded copies;
 * <li>if it iterates by hash codes, add its methods to {@code JdkSites};
 * <li>for the analysis to know more of its methods than that they may do anything, name it in
 * {@code methods-given.txt} and make the table, or name it in {@code JdkValues}.
 * </ol>
 *
 * <p>{@code JdkTablesTest} and {@code ObserversTest} fail for a class of {@code JdkFields} that lacks the first two; for a
 * class with a plan nothing does.
 */
package harrier.runtime.jdk;
