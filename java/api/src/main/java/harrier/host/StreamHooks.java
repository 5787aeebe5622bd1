package harrier.host;

import harrier.host.Wait.Kind;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.Reader;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Objects;

/** Stand in for methods of streams and readers that may wait for what comes from a socket: as {@link BlockingHooks} has it. */
public final class StreamHooks {
    private StreamHooks() {}

    /** Reads something, or goes on with what the thread was reading; null if it leaves. */
    @SuppressWarnings("unchecked")
    private static <R extends Reading> R through(R begun, String place) throws IOException {
        R reading = begun;
        boolean isBack = Threads.isBack();
        while (isBack || !reading.goOn()) {
            ActorSocket socket = isBack ? null : reading.socket();
            Wait wait = Threads.pass(Kind.BYTES, isBack ? null : socket.connection(), reading, isBack ? 0 : socket.patience(), false, place);
            if (wait == null) {
                return null;
            }
            isBack = false;
            reading = (R) wait.with;
            if (wait.isTimedOut && !((Connection) wait.on).isReadable()) {
                throw new SocketTimeoutException("Read timed out");
            }
        }
        return reading;
    }

    /** Reports whether a stream or reader is none of harrier's: its own code waits. */
    private static boolean isOther(Object from) {
        return !(from instanceof Source || from instanceof CharSource) && !(from == null && Threads.isBack());
    }

    private static Source source(Object in) {
        return (Source) in;
    }

    private static Reading.Bytes bytes(Object in, byte[] to, int offset, int length, boolean isWhole, String place) throws IOException {
        boolean isBack = Threads.isBack();
        if (!isBack) {
            Objects.checkFromIndexSize(offset, length, to.length);
        }
        return through(isBack ? null : new Reading.Bytes(source(in), to, offset, length, isWhole), place);
    }

    // Streams of bytes.

    /** Stands in for {@link InputStream#read()}. */
    public static int read(InputStream in, String place) throws IOException {
        if (isOther(in)) {
            return in.read();
        }
        Reading.Bytes read = bytes(in, new byte[1], 0, 1, true, place);
        return read == null ? 0 : read.hasEnded ? -1 : read.to[0] & 0xff;
    }

    /** Stands in for {@link InputStream#read(byte[])}. */
    public static int read(InputStream in, byte[] to, String place) throws IOException {
        return isOther(in) ? in.read(to) : read(in, to, 0, to == null ? 0 : to.length, place);
    }

    /** Stands in for {@link InputStream#read(byte[], int, int)}. */
    public static int read(InputStream in, byte[] to, int offset, int length, String place) throws IOException {
        if (isOther(in)) {
            return in.read(to, offset, length);
        }
        Reading.Bytes read = bytes(in, to, offset, length, false, place);
        return read == null ? 0 : read.result();
    }

    /** Stands in for {@link InputStream#readNBytes(byte[], int, int)}. */
    public static int readNBytes(InputStream in, byte[] to, int offset, int length, String place) throws IOException {
        if (isOther(in)) {
            return in.readNBytes(to, offset, length);
        }
        Reading.Bytes read = bytes(in, to, offset, length, true, place);
        return read == null ? 0 : read.count;
    }

    /** Stands in for {@link InputStream#readNBytes(int)}. */
    public static byte[] readNBytes(InputStream in, int length, String place) throws IOException {
        if (isOther(in)) {
            return in.readNBytes(length);
        }
        Reading.All read = through(Threads.isBack() ? null : new Reading.All(source(in), length), place);
        return read == null ? null : read.bytes;
    }

    /** Stands in for {@link InputStream#readAllBytes()}. */
    public static byte[] readAllBytes(InputStream in, String place) throws IOException {
        return isOther(in) ? in.readAllBytes() : readNBytes(in, Integer.MAX_VALUE, place);
    }

    // Values.

    /** Reads so many bytes as a value has; null if the thread leaves. */
    private static DataInputStream value(DataInput in, int length, String place) throws IOException {
        Reading.Bytes read = bytes(in, new byte[length], 0, length, true, place);
        if (read != null && read.hasEnded) {
            throw new EOFException();
        }
        return read == null ? null : new DataInputStream(new ByteArrayInputStream(read.to));
    }

    /** Stands in for {@link DataInput#readFully(byte[])}. */
    public static void readFully(DataInput in, byte[] to, String place) throws IOException {
        if (isOther(in)) {
            in.readFully(to);
            return;
        }
        readFully(in, to, 0, to == null ? 0 : to.length, place);
    }

    /** Stands in for {@link DataInput#readFully(byte[], int, int)}. */
    public static void readFully(DataInput in, byte[] to, int offset, int length, String place) throws IOException {
        if (isOther(in)) {
            in.readFully(to, offset, length);
            return;
        }
        Reading.Bytes read = bytes(in, to, offset, length, true, place);
        if (read != null && read.hasEnded) {
            throw new EOFException();
        }
    }

    /** Stands in for {@link DataInput#readBoolean}. */
    public static boolean readBoolean(DataInput in, String place) throws IOException {
        return isOther(in) ? in.readBoolean() : readByte(in, place) != 0;
    }

    /** Stands in for {@link DataInput#readByte}. */
    public static byte readByte(DataInput in, String place) throws IOException {
        if (isOther(in)) {
            return in.readByte();
        }
        DataInputStream read = value(in, Byte.BYTES, place);
        return read == null ? 0 : read.readByte();
    }

    /** Stands in for {@link DataInput#readUnsignedByte}. */
    public static int readUnsignedByte(DataInput in, String place) throws IOException {
        return isOther(in) ? in.readUnsignedByte() : readByte(in, place) & 0xff;
    }

    /** Stands in for {@link DataInput#readShort}. */
    public static short readShort(DataInput in, String place) throws IOException {
        if (isOther(in)) {
            return in.readShort();
        }
        DataInputStream read = value(in, Short.BYTES, place);
        return read == null ? 0 : read.readShort();
    }

    /** Stands in for {@link DataInput#readUnsignedShort}. */
    public static int readUnsignedShort(DataInput in, String place) throws IOException {
        return isOther(in) ? in.readUnsignedShort() : readShort(in, place) & 0xffff;
    }

    /** Stands in for {@link DataInput#readChar}. */
    public static char readChar(DataInput in, String place) throws IOException {
        return isOther(in) ? in.readChar() : (char) readShort(in, place);
    }

    /** Stands in for {@link DataInput#readInt}. */
    public static int readInt(DataInput in, String place) throws IOException {
        if (isOther(in)) {
            return in.readInt();
        }
        DataInputStream read = value(in, Integer.BYTES, place);
        return read == null ? 0 : read.readInt();
    }

    /** Stands in for {@link DataInput#readLong}. */
    public static long readLong(DataInput in, String place) throws IOException {
        if (isOther(in)) {
            return in.readLong();
        }
        DataInputStream read = value(in, Long.BYTES, place);
        return read == null ? 0 : read.readLong();
    }

    /** Stands in for {@link DataInput#readFloat}. */
    public static float readFloat(DataInput in, String place) throws IOException {
        return isOther(in) ? in.readFloat() : Float.intBitsToFloat(readInt(in, place));
    }

    /** Stands in for {@link DataInput#readDouble}. */
    public static double readDouble(DataInput in, String place) throws IOException {
        return isOther(in) ? in.readDouble() : Double.longBitsToDouble(readLong(in, place));
    }

    /** Stands in for {@link DataInput#readUTF}. */
    public static String readUTF(DataInput in, String place) throws IOException {
        if (isOther(in)) {
            return in.readUTF();
        }
        byte[] read = counted(in, Short.BYTES, place);
        return read == null ? null : new DataInputStream(new ByteArrayInputStream(read)).readUTF();
    }

    /** Reads bytes with their number before them; null if the thread leaves. */
    private static byte[] counted(Object in, int of, String place) throws IOException {
        Reading.Counted read = through(Threads.isBack() ? null : new Reading.Counted(source(in), of), place);
        if (read != null && read.bytes() == null) {
            throw new EOFException();
        }
        return read == null ? null : read.bytes();
    }

    // Objects.

    /** Is called after a stream of objects is made: waits for what such a stream begins with. */
    public static void begun(ObjectInputStream in, String place) throws IOException {
        byte[] header = new byte[ActorObjectInput.HEADER.length];
        Reading.Bytes read = bytes(in, header, 0, header.length, true, place);
        if (read != null && read.hasEnded) {
            throw new EOFException();
        } else if (read != null && !Arrays.equals(read.to, ActorObjectInput.HEADER)) {
            throw new StreamCorruptedException("invalid stream header");
        }
    }

    /** Stands in for {@link ObjectInput#readObject}. */
    public static Object readObject(ObjectInput in, String place) throws IOException, ClassNotFoundException {
        if (isOther(in)) {
            return in.readObject();
        }
        byte[] read = counted(in, Integer.BYTES, place);
        return read == null ? null : ActorObjectInput.object(Arrays.copyOfRange(read, Integer.BYTES, read.length));
    }

    // Characters.

    /** Stands in for {@link Reader#read()}. */
    public static int read(Reader in, String place) throws IOException {
        if (isOther(in)) {
            return in.read();
        }
        Reading.Chars read = chars(in, new char[1], 0, 1, place);
        return read == null ? 0 : read.count < 0 ? -1 : read.to[0];
    }

    /** Stands in for {@link Reader#read(char[])}. */
    public static int read(Reader in, char[] to, String place) throws IOException {
        return isOther(in) ? in.read(to) : read(in, to, 0, to == null ? 0 : to.length, place);
    }

    /** Stands in for {@link Reader#read(char[], int, int)}. */
    public static int read(Reader in, char[] to, int offset, int length, String place) throws IOException {
        if (isOther(in)) {
            return in.read(to, offset, length);
        }
        Reading.Chars read = chars(in, to, offset, length, place);
        return read == null ? 0 : read.count;
    }

    private static Reading.Chars chars(Reader in, char[] to, int offset, int length, String place) throws IOException {
        boolean isBack = Threads.isBack();
        if (!isBack) {
            Objects.checkFromIndexSize(offset, length, to.length);
        }
        return through(isBack ? null : new Reading.Chars((CharSource) in, to, offset, length), place);
    }

    /** Stands in for {@link BufferedReader#readLine}. */
    public static String readLine(BufferedReader in, String place) throws IOException {
        if (isOther(in)) {
            return in.readLine();
        }
        Reading.Line read = through(Threads.isBack() ? null : new Reading.Line((ActorBufferedReader) in), place);
        return read == null ? null : read.line;
    }
}
