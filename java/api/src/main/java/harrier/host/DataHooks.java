package harrier.host;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;

/** Stand in for methods of {@link DataOutput} and {@link ObjectOutput}: those of harrier's streams write all bytes of a value at once. */
public final class DataHooks {
    private DataHooks() {}

    /** Writes something as the JDK does. */
    private interface Writes {
        void to(DataOutput out) throws IOException;
    }

    private static void write(DataOutput out, Writes writes) throws IOException {
        if (!(out instanceof ActorDataOutput) && !(out instanceof ActorObjectOutput)) {
            writes.to(out);
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writes.to(new DataOutputStream(bytes));
        out.write(bytes.toByteArray(), 0, bytes.size());
    }

    /** Stands in for {@link DataOutputStream#size}. */
    public static int size(DataOutputStream out, String place) {
        return out instanceof ActorDataOutput own ? own.count() : out.size();
    }

    /** Stands in for {@link ObjectInputStream#setObjectInputFilter}. */
    public static void setObjectInputFilter(ObjectInputStream in, ObjectInputFilter filter, String place) {
        if (in instanceof ActorObjectInput) {
            throw Hooks.control(place).refused("sets the filter of a stream of objects from a socket", "check what was read: each object is read by itself");
        }
        in.setObjectInputFilter(filter);
    }

    /** Stands in for {@link ObjectOutput#writeObject}. */
    public static void writeObject(ObjectOutput out, Object object, String place) throws IOException {
        if (out instanceof ActorObjectOutput own) {
            own.writeOne(object);
        } else {
            out.writeObject(object);
        }
    }

    /** Stands in for {@link DataOutput#writeBoolean}. */
    public static void writeBoolean(DataOutput out, boolean value, String place) throws IOException {
        write(out, o -> o.writeBoolean(value));
    }

    /** Stands in for {@link DataOutput#writeByte}. */
    public static void writeByte(DataOutput out, int value, String place) throws IOException {
        write(out, o -> o.writeByte(value));
    }

    /** Stands in for {@link DataOutput#writeShort}. */
    public static void writeShort(DataOutput out, int value, String place) throws IOException {
        write(out, o -> o.writeShort(value));
    }

    /** Stands in for {@link DataOutput#writeChar}. */
    public static void writeChar(DataOutput out, int value, String place) throws IOException {
        write(out, o -> o.writeChar(value));
    }

    /** Stands in for {@link DataOutput#writeInt}. */
    public static void writeInt(DataOutput out, int value, String place) throws IOException {
        write(out, o -> o.writeInt(value));
    }

    /** Stands in for {@link DataOutput#writeLong}. */
    public static void writeLong(DataOutput out, long value, String place) throws IOException {
        write(out, o -> o.writeLong(value));
    }

    /** Stands in for {@link DataOutput#writeFloat}. */
    public static void writeFloat(DataOutput out, float value, String place) throws IOException {
        write(out, o -> o.writeFloat(value));
    }

    /** Stands in for {@link DataOutput#writeDouble}. */
    public static void writeDouble(DataOutput out, double value, String place) throws IOException {
        write(out, o -> o.writeDouble(value));
    }

    /** Stands in for {@link DataOutput#writeBytes}. */
    public static void writeBytes(DataOutput out, String value, String place) throws IOException {
        write(out, o -> o.writeBytes(value));
    }

    /** Stands in for {@link DataOutput#writeChars}. */
    public static void writeChars(DataOutput out, String value, String place) throws IOException {
        write(out, o -> o.writeChars(value));
    }

    /** Stands in for {@link DataOutput#writeUTF}. */
    public static void writeUTF(DataOutput out, String value, String place) throws IOException {
        write(out, o -> o.writeUTF(value));
    }
}
