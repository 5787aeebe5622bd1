package harrier.runtime.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
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
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Results about a program, kept in files for the next time. Each file is whole, or counts as missing. One that
 * cannot be written is worked out again.
 */
public final class KeptFiles {
    /** The system property that says in which folder the files are; without it nothing is kept. */
    public static final String FOLDER = "harrier.classes";

    /** How many files are kept: of as many programs as anyone works on. */
    public static final int KEPT = 100;

    private KeptFiles() {}

    /** Reports whether files are kept. */
    public static boolean isOn() {
        return System.getProperty(FOLDER) != null;
    }

    /** The content of the file with this name; null if there is none. */
    public static byte[] find(String name) {
        return isOn() ? read(folder().resolve(name)) : null;
    }

    /** Keeps a file, and drops the oldest if there are too many. */
    public static void keep(String name, byte[] content) {
        if (!isOn()) {
            return;
        }
        try {
            Files.createDirectories(folder());
            write(folder().resolve(name), content);
            dropOldest();
        } catch (IOException e) {
            // It is worked out again next time.
        }
    }

    private static Path folder() {
        return Path.of(System.getProperty(FOLDER));
    }

    /** The content of a file that was written whole; null if there is none. */
    public static byte[] read(Path file) {
        try {
            byte[] whole = Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0]; // a pipe has no end
            return whole.length < Long.BYTES || ByteBuffer.wrap(whole).getLong() != checksum(whole, Long.BYTES) ? null
                : Arrays.copyOfRange(whole, Long.BYTES, whole.length);
        } catch (IOException e) {
            return null;
        }
    }

    /** Writes a file, of which other processes see all or nothing. */
    public static void write(Path file, byte[] content) throws IOException {
        ByteBuffer whole = ByteBuffer.allocate(Long.BYTES + content.length);
        whole.putLong(checksum(content, 0)).put(content);
        Path writing = file.resolveSibling("writing-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        try {
            Files.write(writing, whole.array(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Files.move(writing, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(writing);
        }
    }

    private static void dropOldest() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
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

    public static long checksum(byte[] content, int from) {
        CRC32 sum = new CRC32();
        sum.update(content, from, content.length - from);
        return sum.getValue();
    }
}
