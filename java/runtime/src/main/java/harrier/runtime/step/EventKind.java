package harrier.runtime.step;

/** What kind of event it is. The wire has the ordinals, which are those of harrier's Go side. */
public enum EventKind {
    /** A handler consumes a message, or a quorum handler several. */
    RECEIVE,
    /** An actor does something by itself: a timer fires, a task runs, or an internal handler. */
    INTERNAL,
    /** A crash, after which the actor starts again. */
    RESTART,
    /** A crash for good. */
    STOP,
    /** A message gets lost. */
    LOSE,
    /** A message is received and stays. */
    DUPLICATE,
    /** The network splits. */
    SPLIT,
    /** The network is whole again. */
    HEAL,
    /** A message on its way may be consumed from now on. */
    DELIVER,
    /** An adversary sends a message. */
    BYZANTINE,
    /** A crash in the middle of what a reception or an internal event does, after which the actor starts again. */
    RESTART_WITHIN,
    /** A crash for good in the middle of these. */
    STOP_WITHIN
}
