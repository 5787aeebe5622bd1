package harrier.junit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/**
 * The class path of a test, divided for harrier.
 *
 * @param program where the scenario is
 * @param libraries what else there is
 */
record ClassPath(String program, Set<String> libraries) {
    /** The class path of this virtual machine, with the program that a class belongs to. */
    static ClassPath of(Class<?> type) {
        try {
            var source = type.getProtectionDomain().getCodeSource();
            if (source == null) {
                throw new IllegalStateException(type.getName() + " is from no folder and no jar");
            }
            String program = Path.of(source.getLocation().toURI()).toString();
            var libraries = new LinkedHashSet<String>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                add(libraries, new File(entry));
            }
            libraries.remove(program);
            return new ClassPath(program, libraries);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(type.getName() + " is from no file", e);
        }
    }

    /** Adds an entry, and what the manifest of a jar refers to: test runners pass long class paths so. */
    private static void add(Set<String> entries, File entry) {
        if (!entry.exists() || !entries.add(entry.getAbsolutePath()) || entry.isDirectory()) {
            return;
        }
        try (var jar = new JarFile(entry)) {
            var manifest = jar.getManifest();
            var more = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String uri : more == null || more.isBlank() ? new String[0] : more.strip().split("\\s+")) {
                var resolved = entry.toURI().resolve(URI.create(uri));
                if ("file".equals(resolved.getScheme())) {
                    add(entries, new File(resolved));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + entry, e);
        }
    }

    /** A command line with the libraries. */
    List<String> with(List<String> command) {
        var all = new ArrayList<>(command);
        if (!libraries.isEmpty()) {
            all.addAll(List.of("--classpath", String.join(File.pathSeparator, libraries)));
        }
        return all;
    }

    /** The folder for traces: in the build's, where classes are in one. */
    Path results() {
        for (var folder = Path.of(program); folder != null; folder = folder.getParent()) {
            if (folder.endsWith("target") || folder.endsWith("build")) {
                return folder.resolve("harrier");
            }
        }
        return Path.of("harrier-out");
    }
}
