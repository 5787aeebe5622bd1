/**
 * Loads a program: compiled, rewritten, and by a class loader that sees the JDK and the API alone.
 *
 * <p>{@link harrier.runtime.load.compile} finds the program's class files, compiling sources first;
 * {@link harrier.runtime.load.rewrite} changes their code so that it asks before it does what a step must not do;
 * {@link harrier.runtime.load.ProgramLoader} defines the rewritten classes. {@link harrier.runtime.load.RefusedSites} looks for calls in code that has not run yet.
 *
 * <p><b>What belongs here</b>: what concerns loaded classes. What concerns class files belongs in one of the other two packages.
 */
package harrier.runtime.load;
