package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/**
 * The fields of an actor's bytes that are its agenda: what it is to do by itself, and its time. They are no
 * fields of its class; docs/reference.md defines them. Java's harrier.runtime.actor.Pending writes and reads
 * them, Go's serializer/agenda.go reads them.
 */
public final class AgendaField {
    /** TIMERS holds timers and scheduled tasks that are pending. */
    public static final String TIMERS = "pending timers";
    /** TASKS holds tasks that wait for their turn. */
    public static final String TASKS = "waiting tasks";
    /** THREADS holds the threads that the actor has: that of its handlers first, if it waits or the program knows it. */
    public static final String THREADS = "running threads";
    /** SOCKETS holds the sockets that the actor has, once it had any. */
    public static final String SOCKETS = "open sockets";
    /** STATICS holds what static fields hold in a process, where that is not what they held at the start. */
    public static final String STATICS = "static fields";
    /** LOOP holds something once the event loop is shut down. */
    public static final String LOOP = "event loop";
    /** CLOCK holds the time on the actor's clock, once it was moved. */
    public static final String CLOCK = "logical clock";
    /** DRAWS holds how many random values the actor has drawn, where each is to differ from the others. */
    public static final String DRAWS = "random draws";
    /** FIRINGS holds how often timers fired and scheduled tasks ran, where that is bounded. */
    public static final String FIRINGS = "timers fired";

    private AgendaField() {}
}
