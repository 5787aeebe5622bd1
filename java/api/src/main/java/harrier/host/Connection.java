package harrier.host;

import harrier.host.Segment.Kind;
import java.net.SocketException;
import java.util.Arrays;

/** One end of a connection between two actors, or of one of an actor with itself. */
final class Connection implements ThreadState {
    /** The name of the actor at the other end. */
    final Object peer;
    /** Which of the opener's connections it is. */
    final int number;
    final boolean isOpener;
    /** The port at which it was accepted. */
    final int port;
    /** The number that this end's next DATA or END gets, and the number of the peer's that it takes next. */
    int sent;
    int expected;
    /** What was received and not read. */
    byte[] received = {};
    /** Whether this end knows that the other end has the connection, so that it may write. */
    boolean isOpen;
    boolean isRefused;
    boolean isReset;
    /** Whether the other end writes no more. */
    boolean hasEnded;
    /** Whether this end writes no more. */
    boolean isShut;
    /** Whether this end reads no more. */
    boolean isDeaf;
    boolean isClosed;

    Connection(Object peer, int number, boolean isOpener, int port) {
        this.peer = peer;
        this.number = number;
        this.isOpener = isOpener;
        this.port = port;
    }

    /** Reports whether a segment of the other end is about it. */
    boolean isOf(Segment segment) {
        return segment.number() == number && segment.isOpeners() != isOpener && segment.from().equals(peer);
    }

    /** Reports whether a segment has its turn. */
    boolean accepts(Segment segment) {
        return !segment.isOrdered() || isReset || isClosed || isOpen && segment.sequence() == expected;
    }

    /** Reports whether a thread that opens it can go on. */
    boolean isSettled() {
        return isOpen || isRefused || isReset || isClosed;
    }

    /** Reports whether a thread that reads can go on. */
    boolean isReadable() {
        return received.length > 0 || hasEnded || isReset || isClosed || isDeaf;
    }

    /** Takes what was received, as far as there is room: how many bytes, -1 at the end of the stream, 0 if there are none yet. */
    int take(byte[] to, int offset, int length) throws SocketException {
        if (isClosed) {
            throw new SocketException("Socket closed");
        } else if (isDeaf) {
            return -1;
        } else if (received.length > 0) {
            int n = Math.min(length, received.length);
            System.arraycopy(received, 0, to, offset, n);
            received = Arrays.copyOfRange(received, n, received.length);
            return n;
        } else if (hasEnded) {
            return -1;
        } else if (isReset) {
            throw new SocketException("Connection reset");
        }
        return 0;
    }

    /** Fails if nothing can be written. */
    void requireWritable() throws SocketException {
        if (isClosed) {
            throw new SocketException("Socket closed");
        } else if (isShut) {
            throw new SocketException("Socket output is shutdown");
        } else if (isReset) {
            throw new SocketException("Broken pipe");
        }
    }

    /** Takes a segment of the other end that has its turn; returns the answer to it, or null. */
    Kind receive(Segment segment) {
        switch (segment.kind()) {
            case OPENED -> isOpen = true;
            case REFUSED -> isRefused = true;
            case RESET -> isReset = true;
            case END -> {
                expected++;
                hasEnded |= !isReset;
            }
            case DATA, PART -> {
                if (isReset) {
                    return null;
                } else if (isClosed) {
                    isReset = true;
                    return Kind.RESET;
                }
                expected += segment.kind() == Kind.DATA ? 1 : 0;
                if (!isDeaf) {
                    int before = received.length;
                    received = Arrays.copyOf(received, before + segment.data().length);
                    System.arraycopy(segment.data(), 0, received, before, segment.data().length);
                }
            }
            default -> throw new IllegalArgumentException(segment.toString());
        }
        return null;
    }

    /** What people see of it. */
    @Override
    public String toString() {
        return "connection " + number + (isOpener ? " to " : " of ") + peer + (isOpen ? "" : ", not open") + (isReset ? ", reset" : "")
            + (isClosed ? ", closed" : isShut ? ", written to the end" : "") + (hasEnded ? ", ended by the other end" : "")
            + (received.length > 0 ? ", has " + Segment.text(received) : "");
    }

    /** Reports whether the connection can be forgotten: later segments are answered with RESET. */
    boolean isOver() {
        return isRefused || isClosed && (isReset || hasEnded);
    }
}
