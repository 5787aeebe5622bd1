/**
 * What is refused: the tables of calls, and how a refusal is noted so that it stays.
 *
 * <p>{@link harrier.runtime.rules.refuse.RefusedCalls} has the methods of the JDK that a step must not call, each with the rule, when it
 * is against it ({@link harrier.runtime.rules.refuse.Receivers} decides by the receiver), and what to do instead.
 * {@link harrier.runtime.rules.refuse.Replacements} has those for which hooks stand in. {@link harrier.runtime.rules.refuse.Stack} says
 * whose code asks, and where. {@link harrier.runtime.rules.refuse.Refusals} keeps what was refused.
 *
 * <p><b>To add a refusal</b>: a line of {@code RefusedCalls}, or of {@code Replacements} with a hook in {@code harrier.host}; a class as a
 * whole is refused unless {@code jdk.JdkClasses} has it; where the JDK makes the call itself, its method is rewritten by
 * {@code jdk.JdkRewrite}. Then a case of a script in {@code cmd/harrier/testdata/script}, from which docs/refusals.md is made.
 */
package harrier.runtime.rules.refuse;
