package harrier.runtime.rules;

/**
 * Thrown into the program where it did what a step must not do. It is noted when it is made, so it stays even if the
 * program catches it.
 */
public final class Refusal extends Error {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
        super(message);
    }
}
