package harrier.runtime;

import harrier.runtime.load.ProgramClasses;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** Hashes of what is known of a program, for what is kept of it: that counts if they are the same. They are the same on all machines. */
final class Fingerprint {
    private final MessageDigest hash;

    private Fingerprint() {
        try {
            hash = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
        // The names of harrier's jars have checksums; what the JDK's classes do and inherit counts, too.
        String jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(jar -> new File(jar).getName()).collect(Collectors.joining("\n"));
        add(List.of(jars, System.getProperty("java.vendor"), Runtime.version().toString()));
    }

    /** Of a program's classes, harrier and the JDK. */
    static String of(ProgramClasses program) {
        return new Fingerprint().add(program).toString();
    }

    /** Of all that the answers about a program depend on beside the questions, unless it has other input. */
    static String of(LoadedProgram program) {
        Fingerprint all = new Fingerprint().add(program.loader().classes());
        all.add(List.of(program.scenario().getClass().getName()));
        all.add(program.loader().guard().rules().list());
        all.add(program.parameters().entrySet().stream().map(Object::toString).toList());
        all.add(List.of(program.options().recheck().toString(), String.valueOf(program.options().honest())));
        program.loader().resourcesAsked().forEach((name, contents) -> {
            all.add(List.of(name, String.valueOf(contents.size())));
            contents.forEach(all::add);
        });
        return all.toString();
    }

    private Fingerprint add(ProgramClasses program) {
        new TreeMap<>(program.bytes()).forEach((name, bytes) -> {
            add(List.of(name));
            add(program.own().contains(name) ? bytes : checksums(bytes));
        });
        return this;
    }

    /** Of a library's class, of which there may be thousands: the virtual machine computes these a hundred times as fast. */
    private static byte[] checksums(byte[] bytes) {
        Checksum crc = new CRC32();
        Checksum adler = new Adler32();
        crc.update(bytes, 0, bytes.length);
        adler.update(bytes, 0, bytes.length);
        return ByteBuffer.allocate(20).putInt(bytes.length).putLong(crc.getValue()).putLong(adler.getValue()).array();
    }

    private void add(List<String> texts) {
        add(ByteBuffer.allocate(Integer.BYTES).putInt(texts.size()).array());
        texts.forEach(t -> add(t.getBytes(StandardCharsets.UTF_8)));
    }

    private void add(byte[] bytes) {
        hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        hash.update(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(hash.digest());
    }
}
