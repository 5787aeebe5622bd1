package harrier.host;

import java.io.IOException;
import java.io.Reader;

/** A reader whose characters may come from the other end of a connection. It never waits. */
interface CharSource {
    /** Takes characters, as many as there are and fit: their number, -1 at the end, 0 if there are none yet. */
    int take(char[] to, int offset, int length) throws IOException;

    /** Takes characters, as many as there are. */
    interface Takes {
        int take(char[] to, int offset, int length) throws IOException;
    }

    /** Takes characters as long as the reader is ready, as readers of the JDK do. */
    static int all(Reader reader, Takes some, char[] to, int offset, int length) throws IOException {
        int count = 0;
        while (count < length && (count == 0 || reader.ready())) {
            int n = some.take(to, offset + count, length - count);
            if (n <= 0) {
                return count > 0 ? count : n;
            }
            count += n;
        }
        return count;
    }

    /** The socket from which they come; null if they come from elsewhere. */
    ActorSocket socket();

    /** A reader as a source. */
    static CharSource of(Reader reader) {
        return reader instanceof CharSource source ? source : new Other(reader);
    }

    /** A reader that is none of harrier's. */
    record Other(Reader reader) implements CharSource, ThreadState {
        @Override
        public int take(char[] to, int offset, int length) throws IOException {
            return reader.read(to, offset, length);
        }

        @Override
        public ActorSocket socket() {
            return null;
        }
    }
}
