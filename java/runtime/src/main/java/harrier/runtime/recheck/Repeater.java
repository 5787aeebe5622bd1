package harrier.runtime.recheck;

import harrier.runtime.codec.graph.Merging;
import harrier.runtime.jdk.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has a part of a program answer questions, and perhaps once more, with equal values merged and in the other orders of hash
 * collections, to compare.
 *
 * @param <T> the part: steps, properties, histories
 */
public abstract class Repeater<T> {

    /**
     * What a part is asked.
     *
     * @param drawnFrom what other orders of hash collections are drawn from
     * @param isRepeated whether it is asked once more
     * @param repeat asks once more, of the same, or with differences that must not matter
     */
    public record Question<T, R>(byte[] drawnFrom, boolean isRepeated, Function<T, R> ask, Function<T, R> repeat) {
        /** One that is repeated as it is. */
        public Question(byte[] drawnFrom, boolean isRepeated, Function<T, R> ask) {
            this(drawnFrom, isRepeated, ask, ask);
        }

        private List<R> again(Supplier<T> part, boolean isOrderPlain) {
            return isRepeated ? again(part.get(), isOrderPlain) : List.of();
        }

        private List<R> again(T part, boolean isOrderPlain) {
            return others(drawnFrom, isOrderPlain, () -> repeat.apply(part)); // linked before the order is on
        }
    }

    /** The results of repetitions, with equal values merged and in each of the other orders if there are any. */
    public static <R> List<R> others(byte[] drawnFrom, boolean isOrderPlain, Supplier<R> run) {
        return Merging.during(run, merged -> isOrderPlain ? List.of(merged.get()) : Order.inOthers(drawnFrom, merged));
    }

    /**
     * The answers to questions, in order. It fails with the first question that fails, or that {@code compare} fails for, whatever
     * runs at the same time. A question is repeated after it was asked first: classes loaded and linked then are no part of the repetition.
     *
     * @param self the part that is asked first
     * @param compare makes one answer of the first one and of those in other orders
     */
    public final <R, A> List<A> answers(T self, List<Question<T, R>> questions, BiFunction<R, List<R>, A> compare) {
        Executions<R> first = new Executions<>(questions.size(), null);
        Executions<List<R>> others = new Executions<>(questions.size(), List.of());
        Runnable ask = () -> first.run(i -> true, i -> questions.get(i).ask.apply(self));
        // Loops, as in all that runs for each question: most checks end before the virtual machine compiles what streams need.
        boolean isRepeated = false;
        for (Question<T, R> question : questions) {
            isRepeated |= question.isRepeated;
        }
        if (isRepeated) {
            both(self, questions.size(), ask, part -> others.run(first::has, i -> questions.get(i).again(part, isOrderPlain())));
        } else {
            ask.run();
        }
        List<A> answers = new ArrayList<>();
        for (int i = 0; i < questions.size(); i++) {
            answers.add(compare.apply(given(first, i, false), given(others, i, true)));
        }
        return answers;
    }

    private static <R> R given(Executions<R> by, int question, boolean isRepetition) {
        try {
            return by.get(question);
        } catch (Stopped e) {
            throw e.at(question, isRepetition);
        }
    }

    /**
     * Runs the first executions of some questions and the further ones, which wait for the first ones: afterwards, or at once on
     * another thread. It returns when all have ended.
     *
     * @param others takes a supplier of the part that is asked again, on the thread that runs it
     */
    protected abstract void both(T self, int questions, Runnable first, Consumer<Supplier<T>> others);

    /** Reports whether hash collections iterate as they do by themselves when a part is asked again, too. */
    protected boolean isOrderPlain() {
        return false;
    }

    /** Readies the part that is asked again, at once on another thread if it can be. */
    public void prepare() {}

    /** Does nothing again. */
    public static <T> Repeater<T> never() {
        return new Repeater<>() {
            @Override
            protected void both(T self, int questions, Runnable first, Consumer<Supplier<T>> others) {
                first.run();
            }
        };
    }
}
