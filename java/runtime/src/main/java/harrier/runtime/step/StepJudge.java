package harrier.runtime.step;

import harrier.runtime.failure.Failure;

/** Decides whether a step may change an actor as it does. */
public interface StepJudge {
    /** Allows every step. */
    StepJudge NONE = (before, after) -> null;

    /**
     * The failure of a step; null if it has none.
     *
     * @param before the actor before the step
     * @param after the same actor after the step, with another local state
     */
    Failure judge(ActorState before, ActorState after);

    /** Reports whether steps may fail by what this decides. */
    default boolean judgesSteps() {
        return false;
    }

    /** Reports whether properties read the last local states of actors that have stopped. */
    default boolean seesStopped() {
        return false;
    }
}
