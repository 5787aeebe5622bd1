package harrier.runtime.load.compile;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a compilation depends on, with its contents: the source files that it is given, the folders that it looks into for
 * more, whether they exist or not, the names of the classes in packages of the class path, those classes there that
 * it reads, and where there are processors for annotations.
 *
 * @param contents by path for sources, and by what it is for the class path
 */
record InputsSeen(ClassPath classPath, Map<String, byte[]> contents) {
    private static final String PACKAGE = "package ";
    private static final String CLASS = "class ";
    private static final String ANNOTATION = "annotation ";

    InputsSeen(ClassPath classPath) {
        this(classPath, new TreeMap<>());
    }

    /** The full names of the classes that a package has on the class path. */
    Set<String> inPackage(String pack) {
        contents.put(PACKAGE + pack, classes(pack));
        return classPath.inPackage(pack);
    }

    /** The content of a class on the class path. */
    byte[] read(String name) {
        byte[] bytes = classPath.find(name);
        contents.put(CLASS + name, bytes);
        return bytes;
    }

    /** The folder or jar of the class path with a processor for annotations of a type; empty if there is none. */
    String processing(String annotation) {
        return new String(contents.computeIfAbsent(ANNOTATION + annotation, this::content), StandardCharsets.UTF_8);
    }

    /** Notes the file at a path, before the compiler reads it. */
    void look(Path path) {
        contents.computeIfAbsent(path.toString(), this::content);
    }

    /** Reports whether a compiler would see the same now. */
    boolean areUnchanged() {
        return contents.entrySet().stream().allMatch(e -> Arrays.equals(e.getValue(), content(e.getKey())));
    }

    /** A file's bytes, or the names and bytes of the sources in a folder. What cannot be read is empty. */
    private byte[] content(String key) {
        if (key.startsWith(PACKAGE)) {
            return classes(key.substring(PACKAGE.length()));
        }
        if (key.startsWith(CLASS)) {
            return classPath.find(key.substring(CLASS.length()));
        }
        if (key.startsWith(ANNOTATION)) {
            return classPath.processing(key.substring(ANNOTATION.length())).getBytes(StandardCharsets.UTF_8);
        }
        Path file = Path.of(key);
        return Files.isDirectory(file) ? sourcesIn(file) : bytes(file);
    }

    private byte[] classes(String pack) {
        return String.join("\n", classPath.inPackage(pack)).getBytes(StandardCharsets.UTF_8);
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
            return Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0]; // a pipe has no end
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
