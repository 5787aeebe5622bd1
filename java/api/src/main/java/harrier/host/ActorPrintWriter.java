package harrier.host;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.Locale;

/** A writer of an actor that prints, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorPrintWriter extends PrintWriter implements ThreadState {
    private Writer to;
    private final boolean flushes;
    private boolean hasFailed;

    public ActorPrintWriter(Writer to) {
        this(to, false);
    }

    public ActorPrintWriter(Writer to, boolean flushes) {
        super(to, flushes);
        this.to = to;
        this.flushes = flushes;
    }

    public ActorPrintWriter(OutputStream to) {
        this(to, false);
    }

    public ActorPrintWriter(OutputStream to, boolean flushes) {
        this(new ActorBufferedWriter(new ActorWriter(to)), flushes);
    }

    public ActorPrintWriter(OutputStream to, boolean flushes, Charset charset) {
        this(new ActorBufferedWriter(new ActorWriter(to, charset)), flushes);
    }

    /** Something done to the writer below. */
    private interface Deed {
        void of(Writer writer) throws IOException;
    }

    private void run(Deed deed) {
        try {
            if (to == null) {
                throw new IOException("Stream closed");
            }
            deed.of(to);
        } catch (IOException e) {
            hasFailed = true;
        }
    }

    @Override
    public void write(int one) {
        run(w -> w.write(one));
    }

    @Override
    public void write(char[] from, int offset, int length) {
        run(w -> w.write(from, offset, length));
    }

    @Override
    public void write(char[] from) {
        write(from, 0, from.length);
    }

    @Override
    public void write(String text) {
        run(w -> w.write(text));
    }

    @Override
    public void write(String text, int offset, int length) {
        run(w -> w.write(text, offset, length));
    }

    @Override
    public void print(String text) {
        write(String.valueOf(text));
    }

    @Override
    public void println() {
        line("");
    }

    /** Writes a line: with its end it is one piece of what is flushed. */
    private void line(String text) {
        write(text + System.lineSeparator());
        if (flushes) {
            flush();
        }
    }

    @Override
    public void println(boolean value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(char value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(int value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(long value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(float value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(double value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(char[] value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(String value) {
        line(String.valueOf(value));
    }

    @Override
    public void println(Object value) {
        line(String.valueOf(value));
    }

    @Override
    public PrintWriter format(String format, Object... arguments) {
        write(String.format(format, arguments));
        if (flushes) {
            flush();
        }
        return this;
    }

    @Override
    public PrintWriter format(Locale locale, String format, Object... arguments) {
        write(String.format(locale, format, arguments));
        if (flushes) {
            flush();
        }
        return this;
    }

    @Override
    public void flush() {
        run(Writer::flush);
    }

    @Override
    public boolean checkError() {
        if (to != null) {
            flush();
        }
        return hasFailed;
    }

    @Override
    protected void setError() {
        hasFailed = true;
    }

    @Override
    public void close() {
        if (to != null) {
            run(Writer::close);
            to = null;
        }
    }
}
