package harrier.host;

import java.io.IOException;
import java.io.InputStream;

/** A stream whose bytes may come from the other end of a connection. It never waits. */
interface Source {
    /** Takes bytes, as many as there are and fit: their number, -1 at the end, 0 if there are none yet. */
    int take(byte[] to, int offset, int length) throws IOException;

    /** The socket from which they come; null if they come from elsewhere. */
    ActorSocket socket();

    /** A stream as a source: what comes from elsewhere than a socket is there, or its own code waits. */
    static Source of(InputStream in) {
        return in instanceof Source source ? source : new Other(in);
    }

    /** A stream that is none of harrier's. */
    record Other(InputStream in) implements Source, ThreadState {
        @Override
        public int take(byte[] to, int offset, int length) throws IOException {
            return in.read(to, offset, length);
        }

        @Override
        public ActorSocket socket() {
            return null;
        }
    }
}
