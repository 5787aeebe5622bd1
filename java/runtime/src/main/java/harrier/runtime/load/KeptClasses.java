package harrier.runtime.load;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Class files in a file that is whole, or counts as missing. */
final class KeptClasses {
    private KeptClasses() {}

    /** The class files by their internal names; null if there are none. */
    static Map<String, byte[]> read(Path file) {
        byte[] bytes = KeptFiles.read(file);
        if (bytes == null) {
            return null;
        }
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
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
        out.writeInt(classes.size());
        for (Map.Entry<String, byte[]> c : classes.entrySet()) {
            out.writeUTF(c.getKey());
            out.writeInt(c.getValue().length);
            out.write(c.getValue());
        }
        KeptFiles.write(file, bytes.toByteArray());
    }
}
