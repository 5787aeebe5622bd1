/**
 * What a refusal says beside the rule that was broken. Rules are checked, and refusals thrown, by the packages below; here a program that
 * was refused is run again, or searched, to help its author.
 *
 * <p>{@link harrier.runtime.refusal.Loading} loads a program, and {@link harrier.runtime.refusal.RefusedLine} asks one: both have copies
 * of the program find the line that broke the rule. {@link harrier.runtime.refusal.OtherRefusals} lists what else of the program is
 * refused.
 */
package harrier.runtime.refusal;
