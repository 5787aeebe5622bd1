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
                add(hash, bytes);
            });
            return HexFormat.of().formatHex(hash.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private static void add(MessageDigest hash, byte[] bytes) {
        hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        hash.update(bytes);
    }
}
