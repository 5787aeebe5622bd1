/**
 * What a program may do while its steps run, and what is done about the rest.
 *
 * <p>{@link harrier.runtime.rules.RefusedCalls} is the table of calls that make a step something else than a function of
 * its input. Classes are rewritten so that they ask before such a call ({@code load.rewrite.CallRewrite}), and a
 * {@link harrier.runtime.rules.Guard} answers, by the {@link harrier.runtime.rules.Rules} of the check. It also looks
 * after static fields ({@link harrier.runtime.rules.Statics}) and takes away what an execution leaves on its thread.
 */
package harrier.runtime.rules;
