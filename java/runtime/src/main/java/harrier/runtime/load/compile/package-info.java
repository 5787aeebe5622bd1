/**
 * From what the user names to class files: sources are compiled, folders and jars read, and the classes of libraries that a program
 * needs are found.
 *
 * <p>{@link harrier.runtime.load.compile.ClassPath} reads the places where classes are, once for javac, the analysis and the loader.
 * {@link harrier.runtime.load.compile.Compiler} runs javac, unless {@code CompiledClasses} has the result of the same sources.
 * {@link harrier.runtime.load.compile.ProgramFiles} puts both together, and {@link harrier.runtime.load.compile.ProgramClasses} is the
 * result: class files by name, and what people call classes and lambdas. Nothing of the program is loaded or run.
 *
 * <p><b>What belongs here</b>: another form in which programs are given, such as another kind of archive.
 */
package harrier.runtime.load.compile;
