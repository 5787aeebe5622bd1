package harrier.runtime.load;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** Class files in a file that is whole, or counts as missing. */
final class KeptClasses {
    private KeptClasses() {}

    /** The class files by their internal names; null if there are none. */
    static Map<String, byte[]> read(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            if (bytes.length < Long.BYTES || in.readLong() != checksum(bytes)) {
                return null;
            }
            Map<String, byte[]> classes = new TreeMap<>();
            for (int n = in.readInt(); n > 0; n--) {
                String name = in.readUTF();
                classes.put(name, in.readNBytes(in.readInt()));
            }
            return classes;
        } catch (IOException e) {
            return null;
        }
    }

    static void write(Path file, Map<String, byte[]> classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(0);
        out.writeInt(classes.size());
        for (Map.Entry<String, byte[]> c : classes.entrySet()) {
            out.writeUTF(c.getKey());
            out.writeInt(c.getValue().length);
            out.write(c.getValue());
        }
        byte[] whole = bytes.toByteArray();
        ByteBuffer.wrap(whole).putLong(checksum(whole));
        Path making = Files.write(file.resolveSibling(file.getFileName() + ".making"), whole);
        Files.move(making, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Of all but the checksum itself. */
    private static long checksum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes, Long.BYTES, bytes.length - Long.BYTES);
        return sum.getValue();
    }
}
