package harrier;

/**
 * Is thrown by a specification's {@code apply} where an operation cannot take effect yet, such as {@code take} of an empty
 * queue: it stays pending until another operation lets it. With a choice, the chosen outcome is not possible.
 *
 * <pre>{@code
 * Object apply(Take t) {
 *     if (queue.isEmpty()) {
 *         throw new MustWait();
 *     }
 *     return queue.remove();
 * }
 * }</pre>
 *
 * @see <a href="{@docRoot}/guide.html#linearizable-operations">Guide: linearizable operations</a>
 */
public final class MustWait extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Without a stack trace, which nobody reads. */
    public MustWait() {
        super("the operation cannot take effect yet", null, false, false);
    }
}
