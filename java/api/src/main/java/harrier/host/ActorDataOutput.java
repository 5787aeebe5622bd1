package harrier.host;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream of values of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorDataOutput extends DataOutputStream implements ThreadState {
    private final OutputStream to;
    /** How many bytes were written into an array: of others nobody keeps count. */
    private int count;

    public ActorDataOutput(OutputStream to) {
        super(to);
        this.to = to;
    }

    private void counts(int bytes) {
        count += to instanceof ByteArrayOutputStream ? bytes : 0;
    }

    /** How many bytes were written. */
    int count() {
        if (!(to instanceof ByteArrayOutputStream)) {
            throw Hooks.control("").refused("calls DataOutputStream.size", "write into a ByteArrayOutputStream, or count what is written");
        }
        return count;
    }

    @Override
    public void write(int one) throws IOException {
        to.write(one);
        counts(1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        to.write(from, offset, length);
        counts(length);
    }

    @Override
    public void flush() throws IOException {
        to.flush();
    }

    @Override
    public void close() throws IOException {
        try (to) {
            flush();
        }
    }
}
