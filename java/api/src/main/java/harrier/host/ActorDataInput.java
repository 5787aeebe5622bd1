package harrier.host;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream of values of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorDataInput extends DataInputStream implements Source, ThreadState {
    private final InputStream from;

    public ActorDataInput(InputStream from) {
        super(from);
        this.from = from;
    }

    @Override
    public int take(byte[] to, int offset, int length) throws IOException {
        return Source.of(from).take(to, offset, length);
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
    public int available() throws IOException {
        return from.available();
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public long skip(long n) {
        throw Hooks.control("").refused("calls DataInputStream.skip", "read what is to be skipped");
    }

    @Override
    public void close() throws IOException {
        from.close();
    }
}
