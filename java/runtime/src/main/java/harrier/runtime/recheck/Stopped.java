package harrier.runtime.recheck;

/**
 * Ends the answering of questions at one whose execution did not return and was stopped. The copy of the program that was asked is
 * not to be asked again: the initializer of a class may be left half run.
 */
public final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Object answer;
    private final int question;
    private final boolean isRepetition;

    /**
     * Of a question that is answered so.
     *
     * @param answer that the execution failed, and the results of those before it
     */
    public Stopped(Object answer) {
        this(answer, 0, false);
    }

    private Stopped(Object answer, int question, boolean isRepetition) {
        super(null, null, false, false);
        this.answer = answer;
        this.question = question;
        this.isRepetition = isRepetition;
    }

    Stopped at(int index, boolean whileRepeated) {
        return new Stopped(answer, index, whileRepeated);
    }

    /** The answer to the question. */
    public Object answer() {
        return answer;
    }

    /** The index of the question among those that were asked together. */
    public int question() {
        return question;
    }

    /** Reports whether the first execution returned, and one that repeats it did not. */
    public boolean isRepetition() {
        return isRepetition;
    }
}
