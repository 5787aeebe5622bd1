package harrier.runtime.actor;

import java.lang.invoke.MethodHandle;

/** How many messages a quorum handler consumes, as it is declared. */
public sealed interface QuorumSize {

    /** Any number, from any senders. */
    record Any() implements QuorumSize {}

    /** So many from different senders. */
    record Exactly(int messages) implements QuorumSize {}

    /** From the smallest number of different senders that is more than half of their role. */
    record Majority() implements QuorumSize {}

    /**
     * As many as the actor says now, from different senders.
     *
     * @param name of its field or method
     * @param size (Actor) to int
     */
    record Computed(String name, MethodHandle size) implements QuorumSize {}
}
