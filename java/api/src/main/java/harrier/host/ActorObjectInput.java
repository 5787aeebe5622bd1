package harrier.host;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/** A stream of objects of an actor, in place of the JDK's: it reads what an {@link ActorObjectOutput} writes. */
public class ActorObjectInput extends ObjectInputStream implements Source, ThreadState {
    /** What a stream begins with. */
    static final byte[] HEADER = {(byte) 0xac, (byte) 0xed, 0, 5};

    private final InputStream from;

    public ActorObjectInput(InputStream from) throws IOException {
        this.from = from;
    }

    /** The object with some bytes. */
    static Object object(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream one = new OfProgram(new ByteArrayInputStream(bytes))) {
            return one.readObject();
        }
    }

    /** Finds classes of the program. */
    private static final class OfProgram extends ObjectInputStream {
        OfProgram(InputStream from) throws IOException {
            super(from);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, Hooks.control("").loader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(described); // a primitive type
            }
        }
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
    public int read(byte[] to, int offset, int length) throws IOException {
        return StreamHooks.read(this, to, offset, length, "");
    }

    @Override
    public Object readUnshared() {
        throw Hooks.control("").refused("calls ObjectInputStream.readUnshared", "call readObject");
    }

    @Override
    public int available() throws IOException {
        return from.available();
    }

    @Override
    public void close() throws IOException {
        from.close();
    }
}
