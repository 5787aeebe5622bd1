package harrier.runtime.load.compile;

import harrier.runtime.failure.UsageException;
import harrier.runtime.origin.Origin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads a program from where the user says it is: a source file, a source or class folder, or a jar. */
public final class ProgramFiles {
    private static final String MODULE = "module-info.java";

    private ProgramFiles() {}

    /**
     * The classes of the program at a path, with those that they need from a class path.
     *
     * @throws UsageException if there are none, or they do not compile
     */
    public static ProgramClasses read(Path path, ClassPath classPath) {
        try {
            return find(path, classPath).with(classPath.besides(besides(path)));
        } catch (IOException | UncheckedIOException e) {
            throw new UsageException("reading " + path + " failed: " + e);
        }
    }

    /** Where a program has the files beside its classes: where packages start, in its folder or jar. */
    private static Set<Path> besides(Path path) throws IOException {
        Set<Path> found = new LinkedHashSet<>();
        for (Path source : sourcesAt(path)) {
            Path start = Compiler.start(source);
            found.add(start == null ? source.toAbsolutePath().getParent() : start);
        }
        return found.isEmpty() ? Set.of(path) : found;
    }

    /** Compiles the program at a path, if it has sources, and forgets the classes: the next time is quicker. */
    public static void prepare(Path path, ClassPath classPath) {
        try {
            List<Path> sources = sourcesAt(path);
            if (!sources.isEmpty()) {
                Path folder = path.toAbsolutePath().normalize();
                Compiler.prepare(sources, Files.isDirectory(path) ? folder : folder.getParent(), classPath);
            }
        } catch (IOException | UncheckedIOException | UsageException e) {
            // Whoever reads it is told.
        }
    }

    /**
     * The program whose class files these are, by class name.
     *
     * @param libraries those that came along with them
     * @param resources the files found beside them, as {@code load.ProgramLoader.resources} gave it
     * @throws UsageException if one of them is none
     */
    public static ProgramClasses given(Map<String, byte[]> files, Map<String, byte[]> libraries,
            Map<String, byte[]> resources) {
        Map<String, byte[]> classes = new HashMap<>();
        Map<String, byte[]> all = new HashMap<>(libraries);
        all.putAll(files);
        all.forEach((name, bytes) -> {
            String where = "the class " + name + " of the trace";
            if (!ClassFile.name(bytes, where).equals(name)) {
                throw new UsageException(where + " is " + ClassFile.name(bytes, where) + ": the trace was changed");
            }
            add(classes, where, bytes);
        });
        Set<String> own = new HashSet<>(files.keySet());
        own.retainAll(classes.keySet());
        return new ProgramClasses(classes, own, ClassPath.of(Resources.given(resources)), List.of());
    }

    private static ProgramClasses find(Path path, ClassPath classPath) throws IOException {
        if (Files.isDirectory(path)) {
            return readFolder(path, classPath);
        }
        if (!Files.exists(path)) {
            throw new UsageException(path + " does not exist");
        }
        String name = path.getFileName().toString();
        if (name.endsWith(".java")) {
            return Compiler.compile(List.of(path), path.toAbsolutePath().getParent(), path, classPath);
        }
        if (name.endsWith(".jar")) {
            return readJar(path);
        }
        throw new UsageException(path + " is no program: give a .java file, a folder of sources or classes, or a .jar");
    }

    private static ProgramClasses readFolder(Path folder, ClassPath classPath) throws IOException {
        List<Path> sources = sourcesIn(folder);
        if (!sources.isEmpty()) {
            return Compiler.compile(sources, folder.toAbsolutePath().normalize(), folder, classPath)
                .remarking(modules(filesIn(folder, MODULE)));
        }
        Map<String, byte[]> classes = new HashMap<>();
        List<Path> descriptors = new ArrayList<>();
        for (Path file : filesIn(folder, ".class")) {
            if (file.endsWith("module-info.class")) {
                descriptors.add(file);
            } else {
                add(classes, file.toString(), Files.readAllBytes(file));
            }
        }
        if (classes.isEmpty()) {
            throw new UsageException(folder + " has neither .java nor .class files");
        }
        return ProgramClasses.of(classes).remarking(modules(descriptors));
    }

    private static List<Path> sourcesAt(Path path) throws IOException {
        return Files.isDirectory(path) ? sourcesIn(path) : path.toString().endsWith(".java") ? List.of(path) : List.of();
    }

    private static List<Path> sourcesIn(Path folder) throws IOException {
        return filesIn(folder, ".java").stream().filter(s -> !s.endsWith(MODULE)).toList();
    }

    private static List<Path> filesIn(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(Files.isSymbolicLink(folder) ? folder.toRealPath() : folder)) {
            return files.filter(f -> f.toString().endsWith(ending) && Files.isRegularFile(f)).sorted().toList();
        }
    }

    private static ProgramClasses readJar(Path path) {
        Map<String, byte[]> classes = new HashMap<>();
        try (JarClasses jar = new JarClasses(path)) {
            for (String name : jar.names()) {
                add(classes, jar.where(name), jar.read(name));
            }
            if (classes.isEmpty()) {
                throw new UsageException(path + " has no classes");
            }
            return ProgramClasses.of(classes).remarking(modules(jar.hasModule() ? List.of(path) : List.of()));
        }
    }

    /** Adds a class, unless it is harrier's API that somebody packed with the program: there is one already. */
    private static void add(Map<String, byte[]> classes, String file, byte[] bytes) {
        String name = ClassFile.name(bytes, file);
        if (!Origin.isApi(name)) {
            classes.put(name, bytes);
        }
    }

    /** Remarks on module descriptors in these places. */
    static List<String> modules(List<?> places) {
        int named = places.size() > 3 ? 2 : places.size();
        return places.isEmpty() ? List.of() : List.of("module descriptors are ignored, as by java -cp: "
            + places.stream().limit(named).map(Object::toString).collect(Collectors.joining(", "))
            + (named < places.size() ? " and " + (places.size() - named) + " others" : ""));
    }
}
