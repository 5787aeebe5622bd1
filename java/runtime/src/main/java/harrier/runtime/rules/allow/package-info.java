/**
 * What users may relax: {@link harrier.runtime.rules.allow.Rule} has the rules, {@link harrier.runtime.rules.allow.Rules} what a check
 * relaxes ({@code --allow}), {@link harrier.runtime.rules.allow.Properties} what system properties are to programs.
 *
 * <p><b>What belongs here</b>: a rule, or another value that relaxes one. {@code cmd/harrier/flags.go} has the list for the command line, and
 * docs/reference.md that for users.
 */
package harrier.runtime.rules.allow;
