/**
 * Changes the code of a program's classes as they are loaded. {@link harrier.runtime.load.rewrite.Rewriting} puts the rewrites in
 * order; each is one class, a visitor of class files:
 *
 * <ul>
 * <li>{@code LambdaRewrite} gives lambdas classes with names;
 * <li>{@code CallRewrite} has code ask before calls that are refused, or call a hook in their place ({@code rules} has the tables);
 * <li>{@code StaticsRewrite} notes writes of static fields, and where initializers begin and end;
 * <li>{@code FieldReadsRewrite} notes the fields that properties read, {@code CoverageRewrite} the code that runs;
 * <li>{@code LooksRewrite} notes where methods of the program see what look-ups of hash collections keep to themselves;
 * <li>{@code LineHooksRewrite} calls a hook at each line, in the copy of a program that looks for the line of a failure.
 * </ul>
 *
 * <p>What rewritten code calls is in {@code harrier.host}, of the API: a program's loader does not see the runtime. The JDK's own
 * classes are rewritten by {@code jdk.JdkRewrite}.
 *
 * <p><b>What belongs here</b>: one more rewrite, as a class and a line in {@code Rewriting}; its output is verified in {@code RewritingTest}.
 */
package harrier.runtime.load.rewrite;
