/**
 * What is known of the JDK's classes: a table for each question that the rest of the runtime asks. The steps to add a class are below.
 *
 * <ul>
 * <li>{@link harrier.runtime.jdk.JdkClasses}: which classes may a step use?
 * <li>{@link harrier.runtime.jdk.JdkFields}: of which classes are the fields the state, and which fields are not?
 * <li>{@link harrier.runtime.jdk.JdkMethods}: what does a method do to the objects that it is given? The table, {@code methods.txt},
 * is made from bytecode and from {@code methods-given.txt} of the tests ({@code make jdk-effects}).
 * <li>{@link harrier.runtime.jdk.JdkValues}: of which classes do objects hold nothing that can change?
 * <li>{@link harrier.runtime.jdk.JdkSites}: which methods give results that depend on hash codes?
 * {@link harrier.runtime.jdk.JdkRewrite} rewrites these, and others that no code may go past, as the virtual machine starts.
 * </ul>
 *
 * <p>Tables whose lines need code are with it: {@code JdkCollections} and {@code JdkParts} of {@code codec} for classes that are
 * written by their content or by what makes them anew, {@code RefusedCalls} and {@code Replacements} of {@code rules.refuse} for methods
 * that a step must not call as they are, {@code Library} of {@code analysis.flow} for methods that are total.
 *
 * <p><b>To add a class that states may hold:</b>
 * <ol>
 * <li>If its fields are its state, name it in {@code JdkFields}: among {@code VALUES} if it cannot change, which {@code JdkValues} then may
 * say too, or among {@code OBJECTS} if programs may tell two equal ones apart. Otherwise give it a plan in {@code JdkCollections} or
 * {@code JdkParts}.
 * <li>Name it in {@code JdkClasses}, unless the line of its package has {@code *}.
 * <li>If it iterates by hash codes, add its methods to {@code JdkSites}.
 * <li>Name it in {@code methods-given.txt}, and make the table: {@code make jdk-effects}.
 * <li>Add objects of it to {@code ObserversTest}, which calls all its methods that only look, on the objects and on what is decoded of
 * them.
 * </ol>
 */
package harrier.runtime.jdk;
