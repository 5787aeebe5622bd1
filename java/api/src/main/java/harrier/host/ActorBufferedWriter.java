package harrier.host;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;

/** A buffered writer of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorBufferedWriter extends BufferedWriter implements ThreadState {
    private static final int SIZE = 8192;

    /** Null when it is closed. */
    private Writer to;
    private final int size;
    private String held = "";

    public ActorBufferedWriter(Writer to) {
        this(to, SIZE);
    }

    public ActorBufferedWriter(Writer to, int size) {
        super(to, size);
        this.to = to;
        this.size = size;
    }

    @Override
    public void write(int one) throws IOException {
        write(String.valueOf((char) one));
    }

    @Override
    public void write(char[] from, int offset, int length) throws IOException {
        write(new String(from, offset, length));
    }

    @Override
    public void write(String text) throws IOException {
        Reading.requireOpen(to);
        held += text;
        if (held.length() >= size) {
            empty();
        }
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        write(text.substring(offset, offset + length));
    }

    @Override
    public void newLine() throws IOException {
        write(System.lineSeparator());
    }

    private void empty() throws IOException {
        String written = held;
        held = "";
        if (!written.isEmpty()) {
            to.write(written);
        }
    }

    @Override
    public void flush() throws IOException {
        Reading.requireOpen(to);
        empty();
        to.flush();
    }

    @Override
    public void close() throws IOException {
        if (to == null) {
            return;
        }
        Writer open = to;
        try (open) {
            flush();
        } finally {
            to = null;
        }
    }
}
