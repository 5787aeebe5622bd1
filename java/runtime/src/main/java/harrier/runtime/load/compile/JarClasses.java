package harrier.runtime.load.compile;

import harrier.runtime.failure.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;

/**
 * The classes of a jar. Of a multi-release jar, those for the Java version that runs: the newest that is not newer.
 * Files that are read must have the checksum that the jar's directory had when it was opened, so a jar that is
 * damaged, or replaced meanwhile, does not go unnoticed.
 */
final class JarClasses implements Closeable {
    private static final String ENDING = ".class";

    private final Path path;
    private final JarFile jar;
    private final Map<String, JarEntry> entries = new TreeMap<>();
    private final boolean hasModule;

    /** @throws UsageException if it is no jar */
    JarClasses(Path path) {
        this.path = path;
        try {
            jar = new JarFile(path.toFile(), false, ZipFile.OPEN_READ, Runtime.version());
            jar.versionedStream().filter(e -> isClass(e.getName()))
                .forEach(e -> entries.put(nameOf(e.getName()), e));
        } catch (IOException | RuntimeException e) {
            throw unreadable(reason(e));
        }
        hasModule = entries.remove("module-info") != null;
    }

    /** Other versions are found by the JDK, and nothing else in META-INF is a class of the program. */
    private static boolean isClass(String entry) {
        return entry.endsWith(ENDING) && !entry.startsWith("META-INF/");
    }

    private static String nameOf(String entry) {
        return entry.substring(0, entry.length() - ENDING.length()).replace('/', '.');
    }

    /** By where they are in the jar. */
    Set<String> names() {
        return entries.keySet();
    }

    /** Reports whether there is a module descriptor, which is no class. */
    boolean hasModule() {
        return hasModule;
    }

    /** Where a class is, for people. */
    String where(String name) {
        return path + "!" + entries.get(name).getRealName();
    }

    /** The content of a class, or null if the jar has none of that name. */
    byte[] read(String name) {
        return read(entries.get(name));
    }

    /** The content of a file that is no class, by its path in the jar, or null. */
    byte[] readResource(String name) {
        return name.endsWith("/") ? null : read(jar.getJarEntry(name));
    }

    private byte[] read(JarEntry entry) {
        if (entry == null || entry.isDirectory()) {
            return null;
        }
        try (InputStream in = jar.getInputStream(entry)) {
            byte[] bytes = in.readAllBytes();
            CRC32 sum = new CRC32();
            sum.update(bytes);
            if (sum.getValue() != entry.getCrc()) {
                throw unreadable("the content of " + entry.getRealName() + " is damaged");
            }
            return bytes;
        } catch (IOException e) {
            throw unreadable(entry.getRealName() + ": " + reason(e));
        }
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private UsageException unreadable(String why) {
        return new UsageException(path + " cannot be read as a jar: " + why);
    }

    @Override
    public void close() {
        try {
            jar.close();
        } catch (IOException e) {
            throw unreadable(reason(e));
        }
    }
}
