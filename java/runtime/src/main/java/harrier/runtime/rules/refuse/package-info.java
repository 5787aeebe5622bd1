/**
 * Refused calls: their tables, and how a refusal is noted so that it stays.
 *
 * <p>{@link harrier.runtime.rules.refuse.RefusedCalls} has the methods of the JDK that a step must not call, each with the rule that it breaks, in
 * which cases ({@link harrier.runtime.rules.refuse.Receivers} decides by the receiver), and what to do instead.
 * {@link harrier.runtime.rules.refuse.Replacements} has the calls that a hook answers in place of the JDK. {@link harrier.runtime.rules.refuse.Stack} says
 * whose code asks, and where. {@link harrier.runtime.rules.refuse.Refusals} keeps the refusals.
 *
 * <p><b>To add a refusal</b>: a line of {@code RefusedCalls}, or of {@code Replacements} with a hook in {@code harrier.host}; a class as a
 * whole is refused unless {@code jdk.JdkClasses} has it; where the JDK makes the call itself, its method is rewritten by
 * {@code jdk.JdkRewrite}. Then a case of {@code cmd/harrier/testdata/script/refuse-calls.txtar} with a heading {@code # refused: …}, and in its program a
 * {@code case} that makes the call, from which
 * docs/refusals.md is made ({@code go test ./cmd/harrier -run TestPageOfRefusals -update}); a way out of the check is a line of
 * {@code refused.txt} in the tests' resources as well.
 */
package harrier.runtime.rules.refuse;
