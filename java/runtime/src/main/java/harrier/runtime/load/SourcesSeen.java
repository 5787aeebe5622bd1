package harrier.runtime.load;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The sources that a compilation depends on, with their contents: the files that it is given, and the folders that
 * it looks into for more, whether they exist or not.
 *
 * @param contents by path
 */
record SourcesSeen(Map<String, byte[]> contents) {
    SourcesSeen() {
        this(new TreeMap<>());
    }

    /** Takes down what is at a path, before the compiler reads it. */
    void look(Path path) {
        contents.computeIfAbsent(path.toString(), SourcesSeen::content);
    }

    /** Whether a compiler would see the same now. */
    boolean areUnchanged() {
        return contents.entrySet().stream().allMatch(e -> Arrays.equals(e.getValue(), content(e.getKey())));
    }

    /** A file's bytes, or the names and bytes of the sources in a folder. What cannot be read is empty. */
    private static byte[] content(String path) {
        Path file = Path.of(path);
        return Files.isDirectory(file) ? sourcesIn(file) : bytes(file);
    }

    private static byte[] sourcesIn(Path folder) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.list(folder)) {
            DataOutputStream out = new DataOutputStream(content);
            for (Path source : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
                byte[] bytes = bytes(source);
                out.writeUTF(source.getFileName().toString());
                out.writeInt(bytes.length);
                out.write(bytes);
            }
            return content.toByteArray();
        } catch (IOException | UncheckedIOException e) {
            return new byte[0];
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
