package harrier.runtime.rules.refuse;

import harrier.runtime.failure.RuleException;

/**
 * The refusals while one program ran on a thread. A refusal stays, even if the program catches its exception: the first
 * one is kept until it is taken.
 */
public final class Refusals {
    private static final ThreadLocal<Refusals> HERE = new ThreadLocal<>();
    /** The first refusal on a thread that is bound to none, whichever program it belongs to. */
    private static volatile Refusal elsewhere;

    /** The first refusal since one was taken: it is the cause of others. */
    private Refusal first;

    /** Takes the refusals on this thread from now on. */
    public void bind() {
        HERE.set(this);
    }

    /** Notes a refusal, and returns the error to throw. */
    public static Refusal note(String message) {
        return note(message, "");
    }

    /**
     * Notes a refusal, and returns the error to throw.
     *
     * @param allow the flag's value that relaxes the rule, as {@code name=value}; empty without one
     */
    public static Refusal note(String message, String allow) {
        Refusal refusal = new Refusal(message, allow);
        Refusals here = HERE.get();
        if (here == null) {
            elsewhere = elsewhere == null ? refusal : elsewhere;
        } else if (here.first == null) {
            here.first = refusal;
        }
        return refusal;
    }

    /** Returns and forgets the refusal here; null without one. */
    public Refusal take() {
        Refusal refusal = first;
        first = null;
        return refusal;
    }

    /** Returns and forgets the refusal on threads that are bound to no program; null without one. */
    public static Refusal takeElsewhere() {
        Refusal refusal = elsewhere;
        elsewhere = null;
        return refusal;
    }

    /** Fails if something was refused on a thread that is bound to no program. */
    public static void requireNoneElsewhere() {
        if (elsewhere != null) {
            throw new RuleException(elsewhere.getMessage());
        }
    }
}
