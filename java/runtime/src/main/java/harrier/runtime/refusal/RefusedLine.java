package harrier.runtime.refusal;

import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.jdk.Order;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.property.Evaluator;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.LineSearch;
import harrier.runtime.rules.LineSearch.Look;
import harrier.runtime.rules.LineSearch.Run;
import harrier.runtime.step.OperationRecord;
import harrier.runtime.step.Outcome;
import harrier.runtime.step.Steps;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Has refusals that are noticed at the end of an execution, or when two are compared, name the line of the code that broke the rule.
 * Copies of the program whose code calls a hook at its lines are asked the same.
 */
public final class RefusedLine {
    private final LoadedProgram program;
    /** That of the search that runs. */
    private LineSearch.Time time;

    public RefusedLine(LoadedProgram program) {
        this.program = program;
    }

    /** The same program once more: {@link LoadedProgram#again}. */
    LoadedProgram again() {
        try {
            return program.again();
        } catch (Steps.DifferenceException e) {
            throw e.after(setUpDifference());
        }
    }

    /** The answers to questions about steps. */
    public List<Steps.Answer> answers(List<Steps.Request> questions) {
        Asking<Steps.Request, Steps.Answer> asking = new Asking<>((p, asked) -> p.steps().answers(asked),
            Steps.Request::local, (a, b) -> a.sameAs(b, program.declared().fifo()));
        try {
            return answers(asking, questions);
        } catch (Steps.DifferenceException e) {
            throw e.isOfSetUp() ? e : e.after(difference(asking,
                questions.stream().flatMap(Steps.Request::all).filter(q -> Arrays.equals(q.local(), e.local())).toList()));
        }
    }

    /** The answers to questions about properties. */
    public List<Evaluator.Judgement> judgements(List<Evaluator.Request> questions) {
        return answers(new Asking<>((p, asked) -> p.evaluator().evaluate(asked), Evaluator.Request::history,
            Evaluator.Judgement::sameAs), questions);
    }

    /** The history after a step: {@link harrier.runtime.property.Recording#extend}. */
    public byte[] history(byte[] before, List<OperationRecord> records) {
        return answers(new Asking<byte[], byte[]>((p, asked) -> List.of(p.recorder().extend(asked.get(0), records)),
            Function.identity(), Arrays::equals), List.of(before)).get(0);
    }

    /**
     * How a program is asked questions.
     *
     * @param ask gives the answers
     * @param drawnFrom what other orders of hash collections are drawn from
     * @param same whether two answers are the same
     */
    private record Asking<Q, A>(BiFunction<LoadedProgram, List<Q>, List<A>> ask, Function<Q, byte[]> drawnFrom,
            BiPredicate<A, A> same) {
        A answer(LoadedProgram copy, Q question) {
            copy.loader().enter();
            return ask.apply(copy, List.of(question)).get(0);
        }
    }

    private <Q, A> List<A> answers(Asking<Q, A> asking, List<Q> questions) {
        try {
            return asking.ask.apply(program, questions);
        } catch (Steps.DifferenceException e) { // of the set-up of the second copy, which is made when it is first needed
            throw e.isOfSetUp() ? e.after(setUpDifference()) : e;
        } catch (RuleException e) {
            if (e.isOfTwo()) {
                throw e.with(difference(asking, questions));
            }
            RuleException found = e.broken() == null ? null : sought(() -> refusal(e.broken(), asking, questions));
            throw found == null ? e : found;
        }
    }

    private <Q, A> RuleException refusal(String broken, Asking<Q, A> asking, List<Q> questions) {
        LoadedProgram copy = copy(new LineSearch(time));
        for (Q question : questions) {
            Supplier<RuleException> execute = () -> refusal(() -> asking.answer(copy, question));
            RuleException again = execute.get();
            if (again != null && broken.equals(again.broken())) { // and the classes that it needs are initialized
                return lines(copy).find(broken, execute);
            }
        }
        return null;
    }

    private static RuleException refusal(Supplier<?> ask) {
        try {
            ask.get();
            return null;
        } catch (RuleException e) {
            return e;
        }
    }

    /** What says after which line two executions of one of some questions differ; empty if that is not known. */
    private <Q, A> List<String> difference(Asking<Q, A> asking, List<Q> questions) {
        return differAfter(() -> {
            LoadedProgram first = copy(new LineSearch(time));
            Supplier<LoadedProgram> other = () -> copy(new LineSearch(time));
            LoadedProgram second = isOrderPlain() ? other.get() : Order.ofSetUp(other).get(0);
            return questions.stream().map(question -> {
                asking.answer(first, question); // its classes are initialized before its events are counted
                asking.answer(second, question); // and before another order is on
                return lastSame(event -> lines(first).run(event, () -> asking.answer(first, question)),
                    event -> Repeater.others(asking.drawnFrom.apply(question), isOrderPlain(),
                        () -> lines(second).run(event, () -> asking.answer(second, question))), asking.same);
            }).filter(line -> line != null).findFirst().orElse(null);
        });
    }

    /** What says after which line the set-up differs from itself in another order of hash collections; empty if that is not known. */
    private List<String> setUpDifference() {
        return differAfter(() -> lastSame(this::setUp,
            event -> isOrderPlain() ? List.of(setUp(event)) : Order.ofSetUp(() -> setUp(event)),
            (a, b) -> a.initial().sameAs(b.initial()) && a.declared().sameAs(b.declared())));
    }

    /** Sets a copy up, and looks at an event of that. */
    private Run<LoadedProgram> setUp(int event) {
        LineSearch search = new LineSearch(time);
        return search.run(event, () -> copy(search));
    }

    private LoadedProgram copy(LineSearch search) {
        return program.once(Order.plain(() -> program.loader().withLines(search)));
    }

    /**
     * A refusal of the set-up, with a line if it is found.
     *
     * @param load loads and sets up
     */
    static RuleException ofLoading(RuleException refused, ProgramLoader loader, Function<ProgramLoader, LoadedProgram> load) {
        if (refused.broken() == null) {
            return refused;
        }
        LineSearch search = new LineSearch(new LineSearch.Time());
        RuleException found = sought(loader,
            () -> search.find(refused.broken(), () -> refusal(() -> load.apply(loader.withLines(search)))));
        return found == null ? refused : found;
    }

    private static LineSearch lines(LoadedProgram copy) {
        return copy.loader().guard().lines();
    }

    private boolean isOrderPlain() {
        return program.loader().guard().rules().isOrderPlain();
    }

    /**
     * The calls that led to the last event before which two executions are the same; null if they are the same to the end.
     *
     * @param first executes, and looks at an event
     * @param others the same in other orders
     */
    private <T> Throwable lastSame(IntFunction<Run<T>> first, IntFunction<List<Run<T>>> others, BiPredicate<T, T> same) {
        Run<T> whole = first.apply(0);
        List<Run<T>> wholes = others.apply(0);
        int which = 0;
        while (which < wholes.size() && same.test(whole.end(), wholes.get(which).end())) {
            which++;
        }
        if (which == wholes.size()) {
            return null;
        }
        int other = which;
        return LineSearch.last(whole.events(), event -> {
            Look here = first.apply(event).look();
            Look there = others.apply(event).get(other).look();
            return here == null ? null : new Look(here.calls(), there == null || !here.place().equals(there.place())
                || !isSame((Outcome) here.done(), (Outcome) there.done()), null);
        });
    }

    private boolean isSame(Outcome one, Outcome other) {
        return one == null || other == null ? one == other : one.sameAs(other, program.declared().fifo());
    }

    private List<String> differAfter(Supplier<Throwable> search) {
        Throwable line = sought(search);
        return line == null ? List.of() : Stream.concat(Stream.of("they differ after this line:"),
            Failure.calls(line, program.loader().classes().own()::contains).stream()).toList();
    }

    private <T> T sought(Supplier<T> search) {
        time = new LineSearch.Time();
        return sought(program.loader(), search);
    }

    /** What a search finds; null if it fails, as where code is too long with hooks. */
    private static <T> T sought(ProgramLoader loader, Supplier<T> search) {
        try {
            return search.get();
        } catch (RuntimeException | Error e) {
            return null;
        } finally {
            loader.enter();
        }
    }
}
