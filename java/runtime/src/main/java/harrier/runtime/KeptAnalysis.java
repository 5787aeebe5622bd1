package harrier.runtime;

import harrier.runtime.analysis.Decomposition;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.FormatException;
import harrier.runtime.load.KeptFiles;
import harrier.runtime.load.ProgramClasses;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/**
 * What the analysis finds in a program, kept so that classes that have not changed are not analysed again. It counts if a
 * hash of all that the analysis looks at is the same.
 */
final class KeptAnalysis {
    private static final Codec CODEC = new Codec(Decomposition.class.getClassLoader());

    private KeptAnalysis() {}

    /** What {@link Decomposition#of} gives. */
    static Decomposition of(ProgramClasses program, String scenario, boolean ownStatics) {
        if (!KeptFiles.isOn()) {
            return Decomposition.of(program, scenario, ownStatics);
        }
        String file = "analysis-" + scenario + (ownStatics ? "-statics" : "");
        String hash = hash(program);
        byte[] bytes = KeptFiles.find(file);
        try {
            if (bytes != null && CODEC.decode(bytes) instanceof Kept kept && kept.hash.equals(hash)) {
                return kept.found;
            }
        } catch (FormatException e) {
            // It is worked out again.
        }
        Decomposition found = Decomposition.of(program, scenario, ownStatics);
        KeptFiles.keep(file, CODEC.encode(new Kept(hash, found)));
        return found;
    }

    /** What a file holds. */
    private record Kept(String hash, Decomposition found) {}

    private static String hash(ProgramClasses program) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            // The names of harrier's jars have checksums; what the JDK's classes inherit is looked at, too.
            add(hash, String.join("\n", System.getProperty("java.class.path"), System.getProperty("java.vendor"),
                Runtime.version().toString()).getBytes(StandardCharsets.UTF_8));
            new TreeMap<>(program.bytes()).forEach((name, bytes) -> {
                add(hash, name.getBytes(StandardCharsets.UTF_8));
                add(hash, program.own().contains(name) ? bytes : checksums(bytes));
            });
            return HexFormat.of().formatHex(hash.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Of a library's class, of which there may be thousands: the virtual machine computes these a hundred times as fast. */
    private static byte[] checksums(byte[] bytes) {
        Checksum crc = new CRC32();
        Checksum adler = new Adler32();
        crc.update(bytes, 0, bytes.length);
        adler.update(bytes, 0, bytes.length);
        return ByteBuffer.allocate(20).putInt(bytes.length).putLong(crc.getValue()).putLong(adler.getValue()).array();
    }

    private static void add(MessageDigest hash, byte[] bytes) {
        hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        hash.update(bytes);
    }
}
