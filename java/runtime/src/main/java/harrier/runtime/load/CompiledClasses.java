package harrier.runtime.load;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The classes of one compilation, kept in a file so that sources that have not changed are not compiled again.
 *
 * <p>The file holds all that the compiler saw beside what it made, and counts only if a compiler would see
 * the same again, byte for byte. So no checksum decides which classes are checked; there is one against torn files only.
 * A file that cannot be read or written is as good as none.
 */
final class CompiledClasses {
    /** The system property that says in which folder the files are; without it nothing is kept. */
    static final String FOLDER = "harrier.classes";

    /** How many compilations are kept: as many as anyone works on. */
    static final int KEPT = 100;

    /** Changes with the layout of the files. */
    private static final String LAYOUT = "classes 2";

    private final Path folder;
    private final byte[] how;
    private final ClassPath classPath;

    /**
     * Of a compilation.
     *
     * @param how all that decides what comes out of it, beside the contents of the sources and of the class path
     */
    CompiledClasses(List<String> how, ClassPath classPath) {
        this.classPath = classPath;
        String property = System.getProperty(FOLDER);
        this.folder = property == null ? null : Path.of(property);
        this.how = (LAYOUT + "\n" + String.join("\n", how)).getBytes(StandardCharsets.UTF_8);
    }

    /** The classes, or null if they are not kept, or were made from other sources. */
    ProgramClasses find() {
        if (folder == null) {
            return null;
        }
        try {
            byte[] content = Files.readAllBytes(file());
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
            if (in.readLong() != checksum(content, Long.BYTES) || !Arrays.equals(how, readBytes(in))
                    || !new InputsSeen(classPath, readBlobs(in)).areUnchanged()) {
                return null;
            }
            Map<String, byte[]> own = readBlobs(in);
            Map<String, byte[]> all = readBlobs(in);
            all.putAll(own);
            return new ProgramClasses(all, own.keySet());
        } catch (IOException e) {
            return null;
        }
    }

    /** Keeps the classes that were made from inputs, unless these have changed meanwhile. */
    void keep(ProgramClasses classes, InputsSeen inputs) {
        if (folder == null || !inputs.areUnchanged()) {
            return;
        }
        try {
            Files.createDirectories(folder);
            writeWhole(content(classes, inputs));
            dropOldest();
        } catch (IOException e) {
            // They are compiled again next time.
        }
    }

    private byte[] content(ProgramClasses classes, InputsSeen inputs) throws IOException {
        Map<String, byte[]> others = new TreeMap<>(classes.bytes());
        others.keySet().removeAll(classes.own());
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(content);
        writeBytes(out, how);
        writeBlobs(out, inputs.contents());
        writeBlobs(out, classes.subset(classes.own()));
        writeBlobs(out, others);
        byte[] body = content.toByteArray();
        content.reset();
        out.writeLong(checksum(body, 0));
        out.write(body);
        return content.toByteArray();
    }

    /** Another process sees all of the file or nothing. */
    private void writeWhole(byte[] content) throws IOException {
        Path writing = folder.resolve("writing-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        try {
            Files.write(writing, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Files.move(writing, file(), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(writing);
        }
    }

    private void dropOldest() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            // Other checks change the folder: times are read once.
            Map<Path, Long> times = new HashMap<>();
            files.forEach(f -> times.put(f, f.toFile().lastModified()));
            List<Path> newestFirst = new ArrayList<>(times.keySet());
            newestFirst.sort(Comparator.comparing((Path f) -> times.get(f)).reversed());
            for (Path old : newestFirst.subList(Math.min(KEPT, newestFirst.size()), newestFirst.size())) {
                Files.deleteIfExists(old);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Two compilations that share a name by chance take each other's place. */
    private Path file() {
        return folder.resolve(Long.toHexString(checksum(how, 0)));
    }

    private static long checksum(byte[] content, int from) {
        CRC32 sum = new CRC32();
        sum.update(content, from, content.length - from);
        return sum.getValue();
    }

    private static void writeBlobs(DataOutputStream out, Map<String, byte[]> blobs) throws IOException {
        out.writeInt(blobs.size());
        for (Map.Entry<String, byte[]> b : blobs.entrySet()) {
            writeBytes(out, b.getKey().getBytes(StandardCharsets.UTF_8));
            writeBytes(out, b.getValue());
        }
    }

    private static Map<String, byte[]> readBlobs(DataInputStream in) throws IOException {
        Map<String, byte[]> blobs = new TreeMap<>();
        for (int n = in.readInt(); n > 0; n--) {
            blobs.put(new String(readBytes(in), StandardCharsets.UTF_8), readBytes(in));
        }
        return blobs;
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
