package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** EventKind says what kind of event it is. */
public enum EventKind {
    /** RECEIVE consumes one message by one handler, or several by a quorum handler. */
    RECEIVE,
    /**
     * INTERNAL is what an actor does by itself: a timer fires, a task runs, or an internal handler. Each of these
     * that may happen now is an outcome of its own.
     */
    INTERNAL,
    /** RESTART is a crash: the actor keeps only its durable fields, and starts again. */
    RESTART,
    /** STOP is a crash for good: the actor does not exist any more. */
    STOP,
    /** LOSE takes a message that is in flight away. */
    LOSE,
    /**
     * DUPLICATE is RECEIVE of a message that stays in the inbox. Where delivery is an event of its own it is a
     * DELIVER of a message that stays in flight, and at a receiver with a quorum handler it adds a copy to the
     * inbox.
     */
    DUPLICATE,
    /** SPLIT cuts off one side of the network. Messages that cross the cut are not received; they may be lost. */
    SPLIT,
    /** HEAL ends a SPLIT. */
    HEAL,
    /**
     * DELIVER makes a message that is on its way one that the receiver may consume, where that is an event of its
     * own (DeliveryModel).
     */
    DELIVER,
    /** BYZANTINE sends a message of an adversary's choice. The adversary is in the place of an actor. */
    BYZANTINE,
    /**
     * RESTART_WITHIN is a RESTART in the middle of a RECEIVE of the same messages, or of an INTERNAL event if it has
     * none: what the handler sent, created, recorded and made durable so far stays, and the messages are consumed.
     * An outcome is a point in an execution of a handler.
     */
    RESTART_WITHIN,
    /** STOP_WITHIN is a STOP in the middle of these. */
    STOP_WITHIN,
    /**
     * CRASH is a crash after which the actor is down: it keeps only its durable fields, and nothing of it happens
     * until it starts again.
     */
    CRASH,
    /** CRASH_WITHIN is a CRASH in the middle of these. */
    CRASH_WITHIN,
    /** RECOVER has an actor that is down start again. To the actor it is a RESTART. */
    RECOVER,
    /** NOTIFY gives an actor the Notice that one which it watches has gone. To the actor it is a RECEIVE. */
    NOTIFY,
    /**
     * TICK has time go on for all actors: a round. To an actor it is its clock that goes on, by one tick in the
     * first outcome and by two in the second.
     */
    TICK,
    /**
     * DISCONNECT gives an actor the Closed in a queue, after which there are no more messages on a connection, or
     * passes it by if the actor handles none. The messages ahead of it are lost. To the actor it is a RECEIVE.
     */
    DISCONNECT,
    /** BREAK closes a connection that crosses a cut, at both ends. */
    BREAK,
    /** REFUSE closes a connection that another actor opened to the event's actor, which is down or has stopped. */
    REFUSE,
    /** DROP loses the messages that are ahead of a Closed in a queue, where their receiver does not take that. */
    DROP,
}
