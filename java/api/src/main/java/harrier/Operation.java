package harrier;

import java.util.Objects;

/**
 * One operation of an actor in a {@link History}: what the actor began with {@code invoked}, and what
 * it ended it with in {@code returned}.
 *
 * <p>The two moments are those of the history's own clock. Of them only the comparison of one
 * operation's return with another's invocation means anything, which {@link History#precedes} makes.
 *
 * @param actor who carries it out
 * @param invocation the request, as given to {@code invoked}
 * @param result its result, as given to {@code returned}; null as long as it is pending
 * @param invokedAt when it began, from 0
 * @param returnedAt when it ended; {@link #PENDING} if it has not, {@link #ABANDONED} if it never will
 * @see <a href="{@docRoot}/guide.html#linearizable-operations">Guide: linearizable operations</a>
 */
public record Operation(ActorName actor, Object invocation, Object result, int invokedAt, int returnedAt) {
    /** Stands for the end of an operation that has not ended. */
    public static final int PENDING = -1;
    /** Stands for the end of an operation that never ends, as its actor crashed and started again. */
    public static final int ABANDONED = -2;

    /**
     * An operation; programs get theirs from {@link Scenario#history}.
     *
     * @throws IllegalArgumentException if it ends before it begins, or has a result before it ends
     */
    public Operation {
        Objects.requireNonNull(actor, "an operation must have an actor");
        Objects.requireNonNull(invocation, "what is invoked must not be null");
        if (invokedAt < 0 || returnedAt < invokedAt && returnedAt != PENDING && returnedAt != ABANDONED) {
            throw new IllegalArgumentException("an operation from " + invokedAt + " to " + returnedAt);
        }
        if (returnedAt < 0 && result != null) {
            throw new IllegalArgumentException("a pending operation has no result");
        }
    }

    /** Whether it has returned. */
    public boolean isComplete() {
        return returnedAt >= 0;
    }
}
