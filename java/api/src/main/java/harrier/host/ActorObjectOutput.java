package harrier.host;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * A stream of objects of an actor, in place of the JDK's. Each object is written as a stream of its own, with its length before it: what
 * the JDK would write only once, and as it was then, is refused.
 */
public class ActorObjectOutput extends ObjectOutputStream implements ThreadState {
    private final OutputStream to;
    /** Values between objects that were not flushed. */
    private byte[] held = {};
    /** The objects that can change and were written, and that the JDK would not write again. */
    private final List<Object> written = new ArrayList<>();

    /** Writes what a stream of objects begins with, for which whoever makes an {@link ActorObjectInput} waits. */
    public ActorObjectOutput(OutputStream to) throws IOException {
        this.to = to;
        to.write(ActorObjectInput.HEADER);
    }

    /** Keeps the bytes of a value until they are flushed. */
    void hold(byte[] bytes) {
        int before = held.length;
        held = Arrays.copyOf(held, before + bytes.length);
        System.arraycopy(bytes, 0, held, before, bytes.length);
    }

    private void empty() throws IOException {
        byte[] emptied = held;
        held = new byte[0];
        if (emptied.length > 0) {
            to.write(emptied, 0, emptied.length);
        }
    }

    /** Writes an object. */
    void writeOne(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Noting one = new Noting(bytes)) {
            one.writeObject(object);
        }
        empty();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        new DataOutputStream(all).writeInt(bytes.size());
        bytes.writeTo(all);
        to.write(all.toByteArray(), 0, all.size());
    }

    /** Writes one object, and notes which objects that are. */
    private final class Noting extends ObjectOutputStream {
        Noting(OutputStream to) throws IOException {
            super(to);
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object object) {
            boolean isValue = object instanceof String || object instanceof Number || object instanceof Boolean
                || object instanceof Character || object instanceof Enum || object instanceof Record || object instanceof UUID;
            if (!isValue) {
                if (written.stream().anyMatch(w -> w == object)) {
                    throw Hooks.control("").refused("writes a " + object.getClass().getSimpleName() + " to an ObjectOutputStream once more",
                        "it would be read as it was the first time: call reset() before, or write a new one");
                }
                written.add(object);
            }
            return object;
        }
    }

    @Override
    public void write(int one) {
        hold(new byte[] {(byte) one});
    }

    @Override
    public void write(byte[] from) {
        hold(from);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
        hold(Arrays.copyOfRange(from, offset, offset + length));
    }

    @Override
    public void writeUnshared(Object object) {
        throw Hooks.control("").refused("calls ObjectOutputStream.writeUnshared", "call writeObject");
    }

    @Override
    public void reset() {
        written.clear();
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
