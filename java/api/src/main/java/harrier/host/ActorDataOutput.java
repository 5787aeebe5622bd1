package harrier.host;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream of values of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorDataOutput extends DataOutputStream implements ThreadState {
    private final OutputStream to;

    public ActorDataOutput(OutputStream to) {
        super(to);
        this.to = to;
    }

    @Override
    public void write(int one) throws IOException {
        to.write(one);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        to.write(from, offset, length);
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
