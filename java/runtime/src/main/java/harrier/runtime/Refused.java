package harrier.runtime;

import harrier.runtime.failure.RuleException;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Has refusals that are noticed at the end of an execution name the line of the code that broke the rule. */
final class Refused {
    private Refused() {}

    /**
     * Asks a program questions. If it is refused, and the line is not known, a copy that tells its lines is asked once more.
     *
     * @param ask gives the answers
     */
    static <Q, A> List<A> withLines(LoadedProgram program, List<Q> questions, BiFunction<LoadedProgram, List<Q>, List<A>> ask) {
        try {
            return ask.apply(program, questions);
        } catch (RuleException e) {
            throw e.isOfExecution() ? withLine(e, program, questions, ask) : e;
        }
    }

    private static <Q, A> RuleException withLine(RuleException refused, LoadedProgram program, List<Q> questions,
            BiFunction<LoadedProgram, List<Q>, List<A>> ask) {
        try {
            LoadedProgram copy = program.withLines();
            Function<Q, RuleException> refusal = question -> refusal(() -> ask.apply(copy, List.of(question)));
            for (Q question : questions) {
                if (refusal.apply(question) != null) { // from now on the classes that it needs are initialized
                    RuleException found = copy.loader().guard().lines().find(() -> refusal.apply(question));
                    return found == null ? refused : found;
                }
            }
            return refused;
        } catch (RuntimeException | LinkageError e) {
            return refused; // such as code that is too long if it tells its lines
        } finally {
            program.loader().enter();
        }
    }

    private static RuleException refusal(Runnable ask) {
        try {
            ask.run();
            return null;
        } catch (RuleException e) {
            return e;
        }
    }
}
