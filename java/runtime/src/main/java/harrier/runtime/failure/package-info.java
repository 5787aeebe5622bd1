/**
 * What goes wrong, each with one line that says how to mend it: {@link harrier.runtime.failure.UsageException}, the program cannot be
 * loaded as it was asked for; {@link harrier.runtime.failure.RuleException}, it does what a local step must not;
 * {@link harrier.runtime.failure.LimitException}, a bound of memory was met. {@link harrier.runtime.failure.Failure} is what a handler or
 * property threw, which is a finding and no error.
 *
 * <p><b>What belongs here</b>: a further kind only if Go's exit code for it differs ({@code Wire} has them).
 */
package harrier.runtime.failure;
