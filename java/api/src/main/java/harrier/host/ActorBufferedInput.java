package harrier.host;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A buffered stream of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorBufferedInput extends BufferedInputStream implements Source, ThreadState {
    private static final int SIZE = 8192;

    /** Null when it is closed. */
    private InputStream from;
    private final int size;
    /** What it has taken and nobody has read. */
    private byte[] held = {};

    public ActorBufferedInput(InputStream from) {
        this(from, SIZE);
    }

    public ActorBufferedInput(InputStream from, int size) {
        super(from, size);
        this.from = from;
        this.size = size;
    }

    @Override
    public int take(byte[] to, int offset, int length) throws IOException {
        Reading.requireOpen(from);
        int count = 0;
        while (count < length && (count == 0 || held.length > 0 || from.available() > 0)) {
            if (held.length == 0) {
                byte[] filled = new byte[size];
                int n = Source.of(from).take(filled, 0, size);
                if (n <= 0) {
                    return count > 0 ? count : n;
                }
                held = Arrays.copyOf(filled, n);
            }
            int n = Math.min(held.length, length - count);
            System.arraycopy(held, 0, to, offset + count, n);
            held = Arrays.copyOfRange(held, n, held.length);
            count += n;
        }
        return count;
    }

    @Override
    public ActorSocket socket() {
        return Source.of(from).socket();
    }

    @Override
    public int read() throws IOException {
        return StreamHooks.read(this, "");
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        return StreamHooks.read(this, to, offset, length, "");
    }

    @Override
    public int available() throws IOException {
        Reading.requireOpen(from);
        return held.length + from.available();
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void mark(int limit) {
        throw Hooks.control("").refused("marks a place in a BufferedInputStream", "keep what was read");
    }

    @Override
    public void reset() {
        mark(0);
    }

    @Override
    public long skip(long n) {
        throw Hooks.control("").refused("calls BufferedInputStream.skip", "read what is to be skipped");
    }

    @Override
    public void close() throws IOException {
        InputStream open = from;
        from = null;
        if (open != null) {
            open.close();
        }
    }
}
