/**
 * Loads a program and answers questions about it; {@link harrier.runtime.Bridge} is where they arrive.
 *
 * <p><b>Threads.</b> Several threads answer at once. What a program can change is never shared by two of them,
 * as programs are not written for threads: they may keep tables in static fields, and their scenarios may note
 * things down. So each {@link harrier.runtime.Worker} makes a program of its own from the class files
 * ({@link harrier.runtime.program.LoadedProgram#again}): loader, classes with their static fields, scenario, codec,
 * memory of handlers. A worker answers one question at a time. It is locked while it does, not to keep others out
 * but so that the thread that runs its next question sees what this one did. Bytes alone go from one worker
 * to another.
 *
 * <p>What workers do share cannot change (class files, auxiliary fields, the codec's tables of the JDK's
 * classes), or belongs to the thread ({@link harrier.runtime.rules.Running},
 * {@link harrier.runtime.rules.Guard}), or changes only while nobody asks: the program that is loaded,
 * {@code System.out}. A property may make its streams parallel, so what it reads of actors is locked
 * ({@link harrier.runtime.property.Evaluator}), and so is what the codec remembers.
 *
 * <p><b>Packages.</b> Each imports only those before it: {@code origin} knows whose code a class is, {@code failure} has the errors,
 * {@code cache} keeps files between checks, {@code jdk} has the facts of the JDK, {@code codec} makes bytes of objects, {@code rules}
 * decides what code of the program may do, {@code load} reads and rewrites classes, {@code analysis} finds what can influence what,
 * {@code recheck} asks twice, {@code actor} has what steps find of actors, {@code step} runs handlers, {@code step.setup} sets the scenario
 * up, {@code property} evaluates properties, {@code program} is all of these for one program, {@code refusal} adds to refusals what helps
 * to mend them, and this one answers Go's questions.
 */
package harrier.runtime;

