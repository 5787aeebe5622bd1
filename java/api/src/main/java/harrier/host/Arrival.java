package harrier.host;

/** A message between sockets, which the receiver takes whatever its threads do. */
public sealed interface Arrival permits Segment, Datagram {
    /** Reports whether the receiver takes it now. */
    boolean isTaken(Agenda agenda);

    /** The receiver takes it. */
    void arrive(Object actor, Agenda agenda);
}
