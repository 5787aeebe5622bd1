/**
 * The plans of the JDK's classes, and of loggers. {@link harrier.runtime.codec.jdk.JdkPlans} has the plan of each class: by its fields
 * ({@code harrier.runtime.jdk.JdkFields} lists which), as a collection ({@code JdkCollections}), by parts from which it is made anew
 * ({@code JdkParts}, {@code JdkFormats}), or as a static field that holds it ({@code ConstantPlan}). All other classes are refused, since
 * their fields are details of the JDK.
 *
 * <p><b>What belongs here</b>: a line of {@code JdkCollections} or {@code JdkParts}. {@code Parameter} has what a collection is made with beside its
 * elements, such as a comparator. The comment of {@code harrier.runtime.jdk} has all steps.
 */
package harrier.runtime.codec.jdk;
