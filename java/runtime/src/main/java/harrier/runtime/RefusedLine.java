package harrier.runtime;

import harrier.runtime.codec.Order;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.property.Evaluator;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.LineSearch;
import harrier.runtime.rules.LineSearch.Look;
import harrier.runtime.step.Chosen;
import harrier.runtime.step.Outcome;
import harrier.runtime.step.Steps;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Has refusals that are noticed at the end of an execution name the line of the code that broke the rule. */
final class RefusedLine {
    private RefusedLine() {}

    /** The answers to questions about steps. What is refused, or differs when it is executed twice, names a line. */
    static List<Steps.Answer> answers(LoadedProgram program, List<Steps.Request> questions) {
        try {
            return sought(program, questions, (p, asked) -> p.steps().answers(asked));
        } catch (Steps.DifferenceException e) {
            throw e.after(difference(program, questions, e));
        }
    }

    /** The answers to questions about properties. What is refused names a line. */
    static List<Evaluator.Judgement> judgements(LoadedProgram program, List<Evaluator.Request> questions) {
        return sought(program, questions, (p, asked) -> p.evaluator().evaluate(asked));
    }

    private static List<String> difference(LoadedProgram program, List<Steps.Request> questions, Steps.DifferenceException e) {
        try {
            LoadedProgram first = program.withLines();
            boolean isPlain = program.loader().guard().rules().isOrderPlain();
            LoadedProgram second = (isPlain ? Order.PLAIN : Order.SECOND).during(program::withLines);
            for (Steps.Request question : questions) {
                Steps.Request one = question.only(new Chosen(0, e.first().handler(), e.first().choices()));
                Throwable line = new Difference(first, second, one, e.local()).line();
                if (line != null) {
                    return Failure.calls(line, program.loader().classes().own()::contains);
                }
            }
        } catch (RuntimeException | Error notFound) {
            // as where code is too long with hooks
        } finally {
            program.loader().enter();
        }
        return List.of();
    }

    /**
     * A question that two copies of a program answer in different ways.
     *
     * @param drawnFrom what the other orders of hash collections are drawn from
     */
    private record Difference(LoadedProgram first, LoadedProgram second, Steps.Request question, byte[] drawnFrom) {
        /** The calls that led to the line after which they differ; null if there is none. */
        Throwable line() {
            outcome(second); // its classes are initialized before another order is on
            Outcome end = outcome(first);
            List<Outcome> others = inOthers(() -> outcome(second));
            int other = 0;
            while (other < others.size() && same(end, others.get(other))) {
                other++;
            }
            if (other == others.size()) {
                return null;
            }
            int which = other;
            return LineSearch.last(lines(first).events(() -> outcome(first)), event -> {
                Look here = lines(first).look(event, () -> outcome(first));
                Look there = inOthers(() -> lines(second).look(event, () -> outcome(second))).get(which);
                return here == null ? null : new Look(here.calls(), there == null || !here.place().equals(there.place())
                    || !same((Outcome) here.done(), (Outcome) there.done()), null);
            });
        }

        private boolean same(Outcome one, Outcome other) {
            return one == null || other == null ? one == other : one.sameAs(other, first.declared().fifo());
        }

        /** What an execution gives; null if it is not the question's. */
        private Outcome outcome(LoadedProgram program) {
            program.loader().enter();
            List<Outcome> outcomes = program.steps().answers(List.of(question)).get(0).outcomes();
            return outcomes.isEmpty() ? null : outcomes.get(0);
        }

        private <T> List<T> inOthers(Supplier<T> run) {
            return Repeater.others(drawnFrom, first.loader().guard().rules().isOrderPlain(), run);
        }

        private static LineSearch lines(LoadedProgram program) {
            return program.loader().guard().lines();
        }
    }

    /**
     * Asks a program questions. If it is refused, and the line is not known, a copy whose code calls a hook at its lines is asked, too.
     *
     * @param ask gives the answers
     */
    private static <Q, A> List<A> sought(LoadedProgram program, List<Q> questions, BiFunction<LoadedProgram, List<Q>, List<A>> ask) {
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
