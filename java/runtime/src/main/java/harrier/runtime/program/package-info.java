/**
 * A program that is loaded: its classes, its scenario, set up, and what answers questions about it.
 *
 * <p>{@link harrier.runtime.program.LoadedProgram} puts the parts together, as {@link harrier.runtime.program.Options} say. Its
 * {@code SecondCopy} repeats what it does, {@code KeptAnalysis} remembers what bytecode analysis found of its classes, and
 * {@link harrier.runtime.program.Fingerprint} is a hash of all that its answers depend on. {@link harrier.runtime.program.Shown} has the
 * texts that people see of its objects, {@link harrier.runtime.program.Covered} the code that its steps executed.
 */
package harrier.runtime.program;
