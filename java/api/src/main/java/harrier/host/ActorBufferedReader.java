package harrier.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;

/** A buffered reader of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorBufferedReader extends BufferedReader implements CharSource, ThreadState {
    private static final int SIZE = 8192;

    /** Null when it is closed. */
    private Reader from;
    private final int size;
    /** What it has taken and nobody has read. */
    private char[] held = {};
    /** Whether a line ended with a carriage return, so that a line feed that follows belongs to it. */
    boolean skipsLineFeed;

    public ActorBufferedReader(Reader from) {
        this(from, SIZE);
    }

    public ActorBufferedReader(Reader from, int size) {
        super(from, size);
        this.from = from;
        this.size = size;
    }

    @Override
    public int take(char[] to, int offset, int length) throws IOException {
        Reading.requireOpen(from);
        return CharSource.all(this, this::some, to, offset, length);
    }

    private int some(char[] to, int offset, int length) throws IOException {
        while (held.length == 0) {
            char[] filled = new char[size];
            int n = CharSource.of(from).take(filled, 0, size);
            if (n <= 0) {
                return n;
            }
            int first = skipsLineFeed && filled[0] == '\n' ? 1 : 0;
            skipsLineFeed = false;
            held = Arrays.copyOfRange(filled, first, n);
        }
        int first = skipsLineFeed && held[0] == '\n' ? 1 : 0;
        skipsLineFeed = false;
        if (first == held.length) {
            held = new char[0];
            return some(to, offset, length);
        }
        int n = Math.min(held.length - first, length);
        System.arraycopy(held, first, to, offset, n);
        held = Arrays.copyOfRange(held, first + n, held.length);
        return n;
    }

    @Override
    public ActorSocket socket() {
        return CharSource.of(from).socket();
    }

    @Override
    public int read() throws IOException {
        return StreamHooks.read(this, "");
    }

    @Override
    public int read(char[] to, int offset, int length) throws IOException {
        return StreamHooks.read(this, to, offset, length, "");
    }

    @Override
    public String readLine() throws IOException {
        return StreamHooks.readLine(this, "");
    }

    @Override
    public boolean ready() throws IOException {
        Reading.requireOpen(from);
        return held.length > (skipsLineFeed && held.length > 0 && held[0] == '\n' ? 1 : 0) || from.ready();
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void mark(int limit) {
        throw Hooks.control("").refused("marks a place in a BufferedReader", "keep what was read");
    }

    @Override
    public void reset() {
        mark(0);
    }

    @Override
    public long skip(long n) {
        throw Hooks.control("").refused("calls BufferedReader.skip", "read what is to be skipped");
    }

    @Override
    public void close() throws IOException {
        Reader open = from;
        from = null;
        if (open != null) {
            open.close();
        }
    }
}
