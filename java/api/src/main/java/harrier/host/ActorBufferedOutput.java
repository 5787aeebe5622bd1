package harrier.host;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** A buffered stream of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorBufferedOutput extends BufferedOutputStream implements ThreadState {
    private static final int SIZE = 8192;

    private final OutputStream to;
    private final int size;
    private byte[] held = {};

    public ActorBufferedOutput(OutputStream to) {
        this(to, SIZE);
    }

    public ActorBufferedOutput(OutputStream to, int size) {
        super(to, size);
        this.to = to;
        this.size = size;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        if (held.length + length > size) {
            empty();
        }
        if (length >= size) {
            to.write(from, offset, length);
            return;
        }
        int before = held.length;
        held = Arrays.copyOf(held, before + length);
        System.arraycopy(from, offset, held, before, length);
    }

    private void empty() throws IOException {
        if (held.length > 0) {
            byte[] written = held;
            held = new byte[0];
            to.write(written, 0, written.length);
        }
    }

    @Override
    public void flush() throws IOException {
        empty();
        to.flush();
    }

    @Override
    public void close() throws IOException {
        try (to) {
            flush();
        }
    }
}
