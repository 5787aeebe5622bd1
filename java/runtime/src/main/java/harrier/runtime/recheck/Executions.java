package harrier.runtime.recheck;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/** The answers to questions that one thread asks by number, one after the other until one fails. Others may wait for them. */
final class Executions<R> {
    private final List<R> answers;
    private int size;
    private boolean hasEnded;
    private Throwable failure;

    /**
     * For a number of questions.
     *
     * @param unasked stands for the answers to those that are not asked
     */
    Executions(int questions, R unasked) {
        answers = new ArrayList<>(Collections.nCopies(questions, unasked));
    }

    /**
     * Asks the questions. What fails is kept.
     *
     * @param isNext whether to go on to a question
     */
    void run(IntPredicate isNext, IntFunction<R> ask) {
        try {
            for (int i = 0; i < answers.size() && isNext.test(i); i++) {
                answered(ask.apply(i));
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            end();
        }
    }

    private synchronized void answered(R answer) {
        answers.set(size++, answer);
        notifyAll();
    }

    private synchronized void end() {
        hasEnded = true;
        notifyAll();
    }

    /** Reports whether a question is answered; waits until that is known. */
    synchronized boolean has(int number) {
        while (size <= number && !hasEnded) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e); // nobody interrupts a thread that waits here
            }
        }
        return size > number;
    }

    /** An answer, once all have been asked that are; or it fails as this question, or an earlier one, did. */
    R get(int number) {
        if (number >= size && failure != null) {
            throw Executions.<RuntimeException>unchecked(failure);
        }
        return answers.get(number);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
    }
}
