package harrier.host;

/**
 * What one datagram socket sends to another one.
 *
 * @param from the name of the actor that sends it
 * @param fromPort the port of its socket
 * @param port that of the receiver's
 */
public record Datagram(Object from, int fromPort, int port, byte[] data) implements Arrival {
    @Override
    public boolean isTaken(Agenda agenda) {
        return true;
    }

    @Override
    public void arrive(Object actor, Agenda agenda) {
        if (agenda.sockets != null) {
            agenda.sockets.arrived(this);
        }
    }

    @Override
    public String toString() {
        return "datagram to port " + port + ": " + Segment.text(data);
    }
}
