/**
 * The rules for the code of a program while its steps run, and the refusals of code that breaks them.
 *
 * <p>{@link harrier.runtime.rules.allow} has the rules that the command line or a scenario relaxes,
 * {@link harrier.runtime.rules.refuse} the calls that make a step something else than a function of its input, and
 * {@link harrier.runtime.rules.statics} how static fields are shared and put back. Rewritten code asks hooks before such a call; hooks ask the
 * {@link harrier.runtime.rules.Guard} of the thread, by {@code HookControl}, and its parts decide: {@code CallCheck}, {@code Machine},
 * {@code Chance}, {@link harrier.runtime.rules.statics.StaticAccess}. The guard also takes away what an execution leaves on its thread.
 * {@link harrier.runtime.rules.Notes} are what a verdict rests on, {@link harrier.runtime.rules.Running} says what of the program a thread runs.
 *
 * <p><b>What belongs here</b>: how one more kind of question is decided. A call that is refused by its name, or also by its receiver, is a line of a
 * table in {@code refuse}.
 */
package harrier.runtime.rules;
