package harrier.host;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UnsupportedEncodingException;
import java.io.Writer;
import java.nio.charset.Charset;

/** A writer of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorWriter extends OutputStreamWriter implements ThreadState {
    private static final int SIZE = 8192;

    /** Null when it is closed. */
    private OutputStream to;
    private final String charset;
    private String held = "";

    public ActorWriter(OutputStream to) {
        this(to, Charset.defaultCharset());
    }

    public ActorWriter(OutputStream to, String charset) throws UnsupportedEncodingException {
        super(to, charset);
        this.to = to;
        this.charset = Reading.requireNoState(Charset.forName(charset));
    }

    public ActorWriter(OutputStream to, Charset charset) {
        super(to, charset);
        this.to = to;
        this.charset = Reading.requireNoState(charset);
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
        if (held.length() > SIZE) {
            empty();
        }
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        write(text.substring(offset, offset + length));
    }

    @Override
    public Writer append(CharSequence text) throws IOException {
        write(String.valueOf(text));
        return this;
    }

    private void empty() throws IOException {
        byte[] bytes = held.getBytes(Charset.forName(charset));
        held = "";
        if (bytes.length > 0) {
            to.write(bytes, 0, bytes.length);
        }
    }

    @Override
    public void flush() throws IOException {
        Reading.requireOpen(to);
        empty();
        to.flush();
    }

    @Override
    public String getEncoding() {
        return charset;
    }

    @Override
    public void close() throws IOException {
        if (to == null) {
            return;
        }
        OutputStream open = to;
        try (open) {
            flush();
        } finally {
            to = null;
        }
    }
}
