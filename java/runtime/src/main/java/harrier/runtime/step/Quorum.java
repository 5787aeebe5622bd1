package harrier.runtime.step;

/**
 * A handler that may consume a message together with others: with those of which the same is said in the same local
 * state.
 *
 * @param handler its label
 * @param size how many messages it consumes, each from another sender; {@link #ANY} for any number from any senders
 * @param role that all senders must have, empty for any
 */
public record Quorum(String handler, int size, String role) {
    /** Stands for any number of messages. */
    public static final int ANY = 0;
}
