package harrier.runtime;

import harrier.runtime.failure.RuleException;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Has refusals that are noticed at the end of an execution name the line of the code that broke the rule. */
final class RefusedLine {
    private RefusedLine() {}

    /**
     * Asks a program questions. If it is refused, and the line is not known, a copy whose code calls a hook at its lines is asked, too.
     *
     * @param ask gives the answers
     */
    static <Q, A> List<A> sought(LoadedProgram program, List<Q> questions, BiFunction<LoadedProgram, List<Q>, List<A>> ask) {
        try {
            return ask.apply(program, questions);
        } catch (RuleException e) {
            RuleException found = e.broken() == null ? null : find(e.broken(), program, questions, ask);
            throw found == null ? e : found;
        }
    }

    private static <Q, A> RuleException find(String broken, LoadedProgram program, List<Q> questions,
            BiFunction<LoadedProgram, List<Q>, List<A>> ask) {
        try {
            LoadedProgram copy = program.withLines();
            Function<Q, RuleException> refusal = question -> refusal(() -> ask.apply(copy, List.of(question)));
            for (Q question : questions) {
                RuleException again = refusal.apply(question);
                if (again != null && broken.equals(again.broken())) { // and the classes that it needs are initialized
                    return copy.loader().guard().lines().find(broken, () -> refusal.apply(question));
                }
            }
            return null;
        } catch (RuntimeException | Error e) {
            return null; // such as code that is too long with hooks
        } finally {
            program.loader().enter();
        }
    }

    private static RuleException refusal(Supplier<?> ask) {
        try {
            ask.get();
            return null;
        } catch (RuleException e) {
            return e;
        }
    }
}
