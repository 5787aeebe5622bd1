package harrier.runtime.rules.refuse;

/**
 * Thrown into the program where it did what a step must not do. It is noted when it is made, so it stays even if the
 * program catches it.
 */
public final class Refusal extends Error {
    private static final long serialVersionUID = 1;

    /** What relaxes the rule, as {@code name=value}; empty if nothing does. */
    private final String allow;

    Refusal(String message, String allow) {
        super(message);
        this.allow = allow;
    }

    public String allow() {
        return allow;
    }
}
