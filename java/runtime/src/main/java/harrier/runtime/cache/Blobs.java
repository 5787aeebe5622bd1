package harrier.runtime.cache;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Contents by their names, such as class files, as they are kept in files. */
public final class Blobs {
    private Blobs() {}

    public static void write(DataOutputStream out, Map<String, byte[]> blobs) throws IOException {
        out.writeInt(blobs.size());
        for (Map.Entry<String, byte[]> b : blobs.entrySet()) {
            write(out, b.getKey().getBytes(StandardCharsets.UTF_8));
            write(out, b.getValue());
        }
    }

    public static Map<String, byte[]> read(DataInputStream in) throws IOException {
        Map<String, byte[]> blobs = new TreeMap<>();
        for (int n = in.readInt(); n > 0; n--) {
            blobs.put(new String(readOne(in), StandardCharsets.UTF_8), readOne(in));
        }
        return blobs;
    }

    public static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    public static byte[] readOne(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(Math.max(length, 0));
        if (bytes.length != length) {
            throw new EOFException();
        }
        return bytes;
    }
}
