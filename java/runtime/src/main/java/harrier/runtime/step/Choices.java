package harrier.runtime.step;

import harrier.host.StepStopped;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code choose} answers during one execution: a given prefix, then always 0. From the answers
 * and the numbers of alternatives follows the next prefix, so that executing with one prefix after
 * another explores every choice.
 */
public final class Choices {
    /** For code that must not choose. */
    public static final Choices NONE = new Choices(null);

    /** An execution that chooses more often among several alternatives may never return. */
    private static final int MOST = 1000;
    /** As above, if it chooses among one. */
    private static final int MOST_OF_ONE = 1 << 20;

    private final List<Integer> prefix;
    private int several;
    private final List<Integer> answers = new ArrayList<>();
    private final List<Integer> alternatives = new ArrayList<>();

    private Choices(List<Integer> prefix) {
        this.prefix = prefix;
    }

    /** Those of the first execution. */
    public static Choices first() {
        return of(List.of());
    }

    /** Those of an execution whose first choices are given. */
    public static Choices of(List<Integer> prefix) {
        return new Choices(prefix);
    }

    /** The next answer, for a number of alternatives. */
    public int choose(int n) {
        if (prefix == null) {
            throw new IllegalStateException("choose works in handlers and in setUp() only");
        }
        int i = answers.size();
        several += n > 1 ? 1 : 0;
        if (several > MOST || i > MOST_OF_ONE) {
            throw new StepStopped("chooses more than " + (several > MOST ? MOST : MOST_OF_ONE) + " times, and may never return");
        }
        int answer = i < prefix.size() ? Math.min(prefix.get(i), n - 1) : 0; // a user may say more than n for a set-up, which is refused at its end
        answers.add(answer);
        alternatives.add(n);
        return answer;
    }

    /** What was answered so far. */
    public List<Integer> answers() {
        return List.copyOf(answers);
    }

    /** Reports whether some choice had several alternatives. */
    public boolean isOfSeveral() {
        return several > 0;
    }

    /** How many alternatives each choice had. */
    public List<Integer> alternatives() {
        return List.copyOf(alternatives);
    }

    /** The choices of the next execution, or null when all are explored. */
    public Choices next() {
        for (int i = answers.size() - 1; i >= 0; i--) {
            if (answers.get(i) + 1 < alternatives.get(i)) {
                List<Integer> next = new ArrayList<>(answers.subList(0, i));
                next.add(answers.get(i) + 1);
                return new Choices(next);
            }
        }
        return null;
    }
}
