package harrier.runtime.load.compile;

import harrier.runtime.failure.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The folders and jars in which classes are found that do not belong to the program itself. The first that has a
 * class counts, but for those of {@code META-INF/harrier}, which come before all others. A class is read once: whoever asks later gets the same bytes, whatever becomes of the file.
 */
public final class ClassPath {
    /** Where there is nothing. */
    public static final ClassPath NONE = new ClassPath(List.of(), new Resources(name -> List.of()));

    /** Where the host of a library has classes that stand in for the library's, in checks only. */
    private static final String IN_CHECKS = "META-INF/harrier/";

    private final List<Entry> entries;
    private final Resources resources;
    private final Map<String, Optional<byte[]>> read = new ConcurrentHashMap<>();

    private ClassPath(List<Entry> entries, Resources resources) {
        this.entries = entries;
        this.resources = resources;
    }

    /** Where there are no classes, but these resources. */
    static ClassPath of(Resources resources) {
        return new ClassPath(List.of(), resources);
    }

    /**
     * Opens folders and jars.
     *
     * @throws UsageException if one is neither, or is damaged
     */
    public static ClassPath open(List<String> paths) {
        List<Entry> entries = new ArrayList<>();
        for (String p : paths) {
            Path path = Path.of(p);
            if (!Files.exists(path)) {
                throw new UsageException(p + " (from --classpath) does not exist");
            }
            entries.add(entry(path));
        }
        return new ClassPath(entries, resources(entries));
    }

    private static Entry entry(Path path) {
        return Files.isDirectory(path) ? new Folder(path) : new Jar(path, new JarClasses(path));
    }

    private static Resources resources(List<Entry> entries) {
        return new Resources(name -> entries.stream().map(e -> e.readResource(name)).filter(Objects::nonNull).toList());
    }

    /** The same with the resources of a program's own folders or jar first. */
    ClassPath besides(Collection<Path> program) {
        return new ClassPath(entries, resources(Stream.concat(program.stream().map(ClassPath::entry), entries.stream()).toList()));
    }

    /** Files beside classes. */
    public Resources resources() {
        return resources;
    }

    /**
     * The content of a class, or null if there is none of that name.
     *
     * @throws UsageException if there is one, and it cannot be used
     */
    byte[] find(String name) {
        return read.computeIfAbsent(name, n -> Optional.ofNullable(readFirst(n))).orElse(null);
    }

    private byte[] readFirst(String name) {
        String inChecks = IN_CHECKS + name.replace('.', '/') + ".class";
        for (Entry e : entries) {
            byte[] bytes = e.readResource(inChecks);
            if (bytes != null) {
                ClassFile.check(bytes, e + "!" + inChecks);
                return bytes;
            }
        }
        for (Entry e : entries) {
            byte[] bytes = e.read(name);
            if (bytes != null) {
                ClassFile.check(bytes, e.where(name));
                return bytes;
            }
        }
        return null;
    }

    /** The folders and jars that have a class, in order. */
    List<String> places(String name) {
        return entries.stream().filter(e -> e.read(name) != null).map(Entry::toString).toList();
    }

    /** The content of a class in one of them. */
    byte[] read(String place, String name) {
        return entries.stream().filter(e -> e.toString().equals(place)).findFirst().map(e -> e.read(name)).orElse(null);
    }

    /** The full names of the classes of a package. */
    Set<String> inPackage(String pack) {
        Set<String> names = new TreeSet<>();
        entries.forEach(e -> e.addPackage(pack, names));
        return names;
    }

    /** The names of all classes. */
    Set<String> all() {
        Set<String> names = new TreeSet<>();
        entries.forEach(e -> e.addAll(names));
        return names;
    }

    /** Where there are module descriptors. */
    List<String> modules() {
        return entries.stream().filter(Entry::hasModule).map(Entry::toString).toList();
    }

    /** The folders and jars that have annotation processors. */
    List<String> withProcessors() {
        return entries.stream().filter(e -> !processors(e).isEmpty()).map(Entry::toString).toList();
    }

    /** The first folder or jar with a processor for annotations of a type, as far as that is known without running it; or empty. */
    String processing(String annotation) {
        return entries.stream().filter(e -> processors(e).stream().anyMatch(p -> handles(e, p, annotation)))
            .map(Entry::toString).findFirst().orElse("");
    }

    private static List<String> processors(Entry entry) {
        byte[] names = entry.readResource("META-INF/services/javax.annotation.processing.Processor");
        return names == null ? List.of() : new String(names, StandardCharsets.UTF_8).lines()
            .map(line -> line.replaceFirst("#.*", "").strip()).filter(name -> !name.isEmpty()).toList();
    }

    /**
     * Reports whether a processor's class says that it handles an annotation or, where it does not say which, comes
     * with its type.
     */
    private static boolean handles(Entry entry, String processor, String annotation) {
        List<String> said = List.of();
        try {
            byte[] bytes = entry.read(processor);
            said = bytes == null ? said : ClassFile.texts(bytes, "Ljavax/annotation/processing/SupportedAnnotationTypes;");
        } catch (RuntimeException e) {
            // ASM cannot read it. It is not loaded, so that matters to nobody.
        }
        if (said.isEmpty() || said.contains("*")) {
            return entry.read(annotation) != null;
        }
        String name = annotation.replace('$', '.');
        return said.stream().map(s -> s.substring(s.indexOf('/') + 1)) // a module may come first
            .anyMatch(s -> s.endsWith(".*") ? name.startsWith(s.substring(0, s.length() - 1)) : name.equals(s));
    }

    private interface Entry {
        /** The content of a class, or null. */
        byte[] read(String name);

        /** The content of something else, by its path, or null. */
        byte[] readResource(String name);

        /** Where a class is that was read, for people. */
        String where(String name);

        void addPackage(String pack, Set<String> names);

        void addAll(Set<String> names);

        boolean hasModule();
    }

    private record Jar(Path path, JarClasses classes) implements Entry {
        @Override
        public byte[] read(String name) {
            return classes.read(name);
        }

        @Override
        public byte[] readResource(String name) {
            return classes.readResource(name);
        }

        @Override
        public String where(String name) {
            return classes.where(name);
        }

        @Override
        public void addPackage(String pack, Set<String> names) {
            for (String n : classes.names()) {
                if (n.lastIndexOf('.') == (pack.isEmpty() ? -1 : pack.length()) && n.startsWith(pack)) {
                    names.add(n);
                }
            }
        }

        @Override
        public void addAll(Set<String> names) {
            names.addAll(classes.names());
        }

        @Override
        public boolean hasModule() {
            return classes.hasModule();
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    private record Folder(Path path) implements Entry {
        private static final String ENDING = ".class";

        @Override
        public byte[] read(String name) {
            return read(file(name));
        }

        @Override
        public byte[] readResource(String name) {
            Path folder = path.toAbsolutePath().normalize();
            Path file = folder.resolve(name).normalize();
            return name.isEmpty() || !file.startsWith(folder) ? null : read(file);
        }

        private static byte[] read(Path file) {
            try {
                return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
            } catch (AccessDeniedException e) {
                throw new UsageException(file + " may not be read: put the program and what it reads into a folder of their own");
            } catch (IOException e) {
                throw new UsageException("reading " + file + " failed: " + e);
            }
        }

        private Path file(String name) {
            return path.resolve(name.replace('.', '/') + ENDING);
        }

        @Override
        public String where(String name) {
            return file(name).toString();
        }

        @Override
        public void addPackage(String pack, Set<String> names) {
            Path folder = path.resolve(pack.replace('.', '/'));
            if (Files.isDirectory(folder)) {
                add(folder, 1, names);
            }
        }

        @Override
        public void addAll(Set<String> names) {
            add(path, Integer.MAX_VALUE, names);
        }

        private void add(Path folder, int depth, Set<String> names) {
            try (Stream<Path> files = Files.walk(folder, depth)) {
                files.filter(f -> f.toString().endsWith(ENDING) && Files.isRegularFile(f)).forEach(f -> {
                    String name = path.relativize(f).toString();
                    names.add(name.substring(0, name.length() - ENDING.length()).replace(f.getFileSystem().getSeparator(), "."));
                });
            } catch (IOException | UncheckedIOException e) {
                throw new UsageException("reading " + folder + " failed: " + e);
            }
            names.remove("module-info");
        }

        @Override
        public boolean hasModule() {
            return Files.isRegularFile(path.resolve("module-info.class"));
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }
}
