package harrier.host;

import java.nio.charset.StandardCharsets;

/**
 * What one end of a connection sends to the other one.
 *
 * @param from the name of the actor that sends it
 * @param number which of the connections between the two that the opener has opened
 * @param isOpeners whether it comes from the end that opened the connection
 * @param kind what it is about
 * @param sequence which of the end's {@code DATA} and {@code END} it is
 * @param port where a connection is to be opened; of no meaning otherwise
 * @param data what was written
 */
public record Segment(Object from, int number, boolean isOpeners, Kind kind, int sequence, int port, byte[] data)
        implements Arrival {
    /** What segments are about: the opening of a connection and the answers to it, what was written, or a part of it that has arrived, its end, and that the connection is gone. */
    public enum Kind { OPEN, OPENED, REFUSED, DATA, PART, END, RESET }

    private static final byte[] NOTHING = {};
    private static final int SHOWN = 60;

    /** One without data. */
    static Segment of(Object from, Connection connection, Kind kind, int sequence) {
        return new Segment(from, connection.number, connection.isOpener, kind, sequence, connection.port, NOTHING);
    }

    /** The same with data. */
    Segment with(byte[] written) {
        return new Segment(from, number, isOpeners, kind, sequence, port, written.clone());
    }

    /** A part of it, after which it is not over. */
    Segment part(byte[] written) {
        return new Segment(from, number, isOpeners, Kind.PART, sequence, port, written);
    }

    /** An answer to this one from the other end. */
    Segment answer(Object by, Kind answer) {
        return new Segment(by, number, !isOpeners, answer, 0, port, NOTHING);
    }

    /** Reports whether a program sees it in its turn only: after all that the same end has written before. */
    boolean isOrdered() {
        return kind == Kind.DATA || kind == Kind.END;
    }

    @Override
    public String toString() {
        String on = (isOpeners ? "" : "answer, ") + "connection " + number;
        return switch (kind) {
            case OPEN -> "open " + on + " to port " + port;
            case OPENED -> on + " is open";
            case REFUSED -> on + " is refused";
            case DATA, PART -> on + ": " + text(data);
            case END -> on + ": end of stream";
            case RESET -> on + " is reset";
        };
    }

    @Override
    public boolean isTaken(Agenda agenda) {
        return Sockets.accepts(agenda, this);
    }

    @Override
    public void arrive(Object actor, Agenda agenda) {
        Sockets.receive(actor, agenda, this);
    }

    /** Bytes for people: as text where they are one. */
    static String text(byte[] data) {
        StringBuilder text = new StringBuilder();
        for (byte b : data) {
            boolean isPlain = b >= ' ' && b < 127 && b != '"' && b != '\\';
            text.append(b == '\n' ? "\\n" : b == '\r' ? "\\r" : isPlain ? new String(new byte[] {b}, StandardCharsets.US_ASCII)
                : String.format("\\%02x", b));
            if (text.length() > SHOWN) {
                return '"' + text.toString() + "\"...";
            }
        }
        return '"' + text.toString() + '"';
    }
}
