package harrier.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;

/** A reader of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorReader extends InputStreamReader implements CharSource, ThreadState {
    private static final int SIZE = 8192;

    /** Null when it is closed. */
    private InputStream from;
    private final String charset;
    /** Bytes that were taken and not decoded, and characters that nobody has read. */
    private byte[] bytes = {};
    private char[] chars = {};

    public ActorReader(InputStream from) {
        this(from, Charset.defaultCharset());
    }

    public ActorReader(InputStream from, String charset) throws UnsupportedEncodingException {
        super(from, charset);
        this.from = from;
        this.charset = Reading.requireNoState(Charset.forName(charset));
    }

    public ActorReader(InputStream from, Charset charset) {
        super(from, charset);
        this.from = from;
        this.charset = Reading.requireNoState(charset);
    }

    @Override
    public int take(char[] to, int offset, int length) throws IOException {
        Reading.requireOpen(from);
        return CharSource.all(this, this::some, to, offset, length);
    }

    private int some(char[] to, int offset, int length) throws IOException {
        while (chars.length == 0) {
            byte[] filled = new byte[SIZE];
            int n = Source.of(from).take(filled, 0, SIZE);
            if (n == 0 || n < 0 && bytes.length == 0) {
                return n;
            }
            decode(filled, n);
        }
        int n = Math.min(chars.length, length);
        System.arraycopy(chars, 0, to, offset, n);
        chars = Arrays.copyOfRange(chars, n, chars.length);
        return n;
    }

    /** Decodes what was taken, and more of it; less than 0 at the end. */
    private void decode(byte[] more, int n) {
        ByteBuffer all = ByteBuffer.allocate(bytes.length + Math.max(n, 0)).put(bytes).put(more, 0, Math.max(n, 0));
        all.flip();
        CharBuffer decoded = CharBuffer.allocate(all.remaining() + 1);
        Charset.forName(charset).newDecoder().onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE).decode(all, decoded, n < 0);
        bytes = new byte[all.remaining()];
        all.get(bytes);
        decoded.flip();
        chars = new char[decoded.remaining()];
        decoded.get(chars);
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
    public int read(char[] to, int offset, int length) throws IOException {
        return StreamHooks.read(this, to, offset, length, "");
    }

    @Override
    public boolean ready() throws IOException {
        Reading.requireOpen(from);
        return chars.length > 0 || from.available() > 0;
    }

    @Override
    public String getEncoding() {
        return from == null ? null : charset;
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
