package harrier.runtime.load;

import harrier.runtime.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;

/** Reads a program from where the user says it is: a source file, a source or class folder, or a jar. */
public final class ProgramFiles {
    private ProgramFiles() {}

    /**
     * The classes of the program at a path.
     *
     * @throws UsageException if there is none, or it does not compile
     */
    public static ProgramClasses read(Path path) {
        try {
            if (Files.isDirectory(path)) {
                return readFolder(path);
            }
            if (!Files.exists(path)) {
                throw new UsageException(path + " does not exist");
            }
            String name = path.getFileName().toString();
            if (name.endsWith(".java")) {
                return Compiler.compile(List.of(path), path.toAbsolutePath().getParent(), path);
            }
            if (name.endsWith(".jar")) {
                return readJar(path);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new UsageException("reading " + path + " failed: " + e);
        }
        throw new UsageException(path + " is no program: give a .java file, a folder of sources or classes, or a .jar");
    }

    private static ProgramClasses readFolder(Path folder) throws IOException {
        List<Path> sources = filesIn(folder, ".java");
        if (!sources.isEmpty()) {
            return Compiler.compile(sources, folder.toAbsolutePath().normalize(), folder);
        }
        Map<String, byte[]> classes = new HashMap<>();
        for (Path file : filesIn(folder, ".class")) {
            add(classes, file.toString(), Files.readAllBytes(file));
        }
        if (classes.isEmpty()) {
            throw new UsageException(folder + " has neither .java nor .class files");
        }
        return ProgramClasses.of(classes);
    }

    private static List<Path> filesIn(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> f.toString().endsWith(ending) && Files.isRegularFile(f)).sorted().toList();
        }
    }

    private static ProgramClasses readJar(Path jar) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                // META-INF holds classes for other versions of Java.
                if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        add(classes, jar + "!" + entry.getName(), in.readAllBytes());
                    }
                }
            }
        } catch (ZipException e) {
            throw new UsageException(jar + " cannot be read as a jar: " + e.getMessage());
        }
        if (classes.isEmpty()) {
            throw new UsageException(jar + " has no classes");
        }
        return ProgramClasses.of(classes);
    }

    private static void add(Map<String, byte[]> classes, String file, byte[] bytes) {
        if (file.endsWith("module-info.class")) {
            return;
        }
        try {
            classes.put(new ClassReader(bytes).getClassName().replace('/', '.'), bytes);
        } catch (RuntimeException e) {
            // ASM reports what it cannot read by whatever exception it runs into.
            throw new UsageException(file + " is no class file that can be read (" + e + "): compile it again");
        }
    }
}
