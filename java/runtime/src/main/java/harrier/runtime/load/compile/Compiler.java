package harrier.runtime.load.compile;

import com.sun.source.util.JavacTask;
import harrier.runtime.failure.UsageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles sources in memory, against harrier's API and the class path.
 *
 * <p>Classes that the sources refer to are looked up in the folder itself, in the folder around it, so
 * that a program finds its neighbours, and in the folder that the package of each source starts from.
 */
final class Compiler {
    /** The system property that says where the API's jar is. */
    private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");
    private static final String API = "harrier.api";

    private static final List<String> OPTIONS =
        List.of("-g", "-parameters", "-proc:none", "-implicit:class", "-nowarn", "-Xlint:none");

    private Compiler() {}

    /** Compiles, unless the classes are kept from another time. */
    static ProgramClasses compile(List<Path> sources, Path folder, Path asked, ClassPath classPath)
            throws IOException {
        CompiledClasses compiled = new CompiledClasses(how(sources, folder), classPath);
        ProgramClasses classes = compiled.find();
        if (classes == null) {
            InputsSeen seen = new InputsSeen(classPath);
            classes = compile(sources, folder, asked, seen);
            compiled.keep(classes, seen);
        }
        return classes;
    }

    /** Compiles, whatever is kept, and forgets the classes. */
    static void prepare(List<Path> sources, Path folder, ClassPath classPath) throws IOException {
        compile(sources, folder, folder, new InputsSeen(classPath));
    }

    /** What decides about the classes, beside the contents of the sources. */
    private static List<String> how(List<Path> sources, Path folder) {
        List<String> how = new ArrayList<>(OPTIONS);
        how.add(System.getProperty("java.vendor") + " " + Runtime.version());
        how.add(System.getProperty(API)); // its name has a checksum
        how.add(folder.toString());
        sources.forEach(s -> how.add(s.toAbsolutePath().toString()));
        return how;
    }

    private static ProgramClasses compile(List<Path> sources, Path folder, Path asked, InputsSeen seen)
            throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            throw new UsageException("the Java runtime in " + System.getProperty("java.home")
                + " has no compiler: give a JDK with --java-home, or compiled classes instead of " + asked);
        }
        Set<File> roots = roots(sources, folder);
        sources.forEach(s -> seen.look(s.toAbsolutePath()));
        roots.forEach(r -> seen.look(r.toPath()));
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                Memory memory = new Memory(files, roots, seen)) {
            files.setLocation(StandardLocation.SOURCE_PATH, roots);
            files.setLocation(StandardLocation.CLASS_PATH, List.of(new File(System.getProperty(API))));
            JavacTask task = (JavacTask) javac.getTask(messages, memory, null, OPTIONS, null, files.getJavaFileObjectsFromPaths(sources));
            Annotations annotations = new Annotations(task, seen);
            if (!call(task)) {
                List<String> lines = messages.toString().lines().toList();
                throw new UsageException(asked + " does not compile" + library(lines) + NewerJava.hint(lines, Runtime.version().feature())
                    + unprocessed(annotations.missing(messages.toString()), "if it needs what these generate, ") + ":", lines);
            }
            List<String> handled = annotations.handled();
            if (!handled.isEmpty()) {
                throw new UsageException(asked + " has annotations that may change it" + unprocessed(handled, ""));
            }
            return memory.classes(sources);
        }
    }

    /** That a library is missing, if a package of none is imported. */
    private static String library(List<String> lines) {
        Pattern missing = Pattern.compile("error: (package (?!harrier\\b)\\S+) does not exist");
        return lines.stream().map(missing::matcher).filter(Matcher::find).findFirst()
            .map(found -> ", as " + found.group(1) + " is not there: name the libraries that it needs with --classpath").orElse("");
    }

    /** That processors of annotations are not run, for what they are missed, and the way around; nothing if they are not missed. */
    private static String unprocessed(List<String> missed, String condition) {
        return missed.isEmpty() ? "" : ", and harrier runs no annotation processors (" + String.join("; ", missed) + "): " + condition
            + "compile it with its own build, and check the folder or jar of the classes";
    }

    /** Reports whether it compiles. A class file that cannot be used ends it. */
    private static boolean call(JavaCompiler.CompilationTask task) {
        try {
            return task.call();
        } catch (RuntimeException e) {
            throw e.getCause() instanceof UsageException cause ? cause : e;
        }
    }

    private static Set<File> roots(List<Path> sources, Path folder) throws IOException {
        Set<File> roots = new LinkedHashSet<>();
        roots.add(folder.toFile());
        Path around = folder.getParent();
        if (around != null && around.getParent() != null) { // nobody keeps sources in the root of the file system
            roots.add(around.toFile());
        }
        for (Path source : sources) {
            Path start = start(source);
            if (start != null) {
                roots.add(start.toFile());
            }
        }
        return roots;
    }

    /** The folder where the package of a source starts; null if it is in none, or its folders are named otherwise. */
    static Path start(Path source) throws IOException {
        // Whatever its encoding, the line that names the package can be read as Latin-1.
        Matcher line = PACKAGE.matcher(Files.readString(source, StandardCharsets.ISO_8859_1));
        Path home = source.toAbsolutePath().normalize().getParent();
        Path inside = line.find() ? Path.of(line.group(1).replace('.', File.separatorChar)) : null;
        return inside == null || !home.endsWith(inside) ? null
            : home.getRoot().resolve(home.subpath(0, home.getNameCount() - inside.getNameCount()));
    }

    /** Keeps what javac writes, with the source that each class comes from, and takes down where it looks for sources. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, Output> outputs = new HashMap<>();

        private final Set<File> roots;
        private final InputsSeen seen;

        Memory(JavaFileManager files, Set<File> roots, InputsSeen seen) {
            super(files);
            this.roots = roots;
            this.seen = seen;
        }

        @Override
        public Iterable<JavaFileObject> list(Location location, String pack, Set<JavaFileObject.Kind> kinds,
                boolean recurse) throws IOException {
            if (location == StandardLocation.SOURCE_PATH) {
                roots.forEach(r -> seen.look(r.toPath().resolve(pack.replace('.', File.separatorChar))));
            }
            Iterable<JavaFileObject> files = super.list(location, pack, kinds, recurse);
            if (location != StandardLocation.CLASS_PATH || !kinds.contains(JavaFileObject.Kind.CLASS)) {
                return files;
            }
            List<JavaFileObject> all = new ArrayList<>();
            files.forEach(all::add);
            seen.inPackage(pack).forEach(name -> all.add(new Library(name, seen)));
            return all;
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof Library library ? library.name : super.inferBinaryName(location, file);
        }

        /** A program is compiled as one without modules, as it is loaded. */
        @Override
        public JavaFileObject getJavaFileForInput(Location location, String name, JavaFileObject.Kind kind)
                throws IOException {
            boolean isProgramsModule = location == StandardLocation.SOURCE_PATH && name.equals("module-info");
            return isProgramsModule ? null : super.getJavaFileForInput(location, name, kind);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
                FileObject source) {
            Output output = new Output(name, source.toUri().normalize());
            outputs.put(name, output);
            return output;
        }

        ProgramClasses classes(List<Path> sources) {
            Set<URI> asked = new HashSet<>();
            sources.forEach(s -> asked.add(s.toUri().normalize()));
            Map<String, byte[]> bytes = new HashMap<>();
            Set<String> own = new HashSet<>();
            outputs.forEach((name, output) -> {
                bytes.put(name, output.bytes.toByteArray());
                if (asked.contains(output.source)) {
                    own.add(name);
                }
            });
            return new ProgramClasses(bytes, own);
        }
    }

    /** A class's address, of which the compiler asks no more than that it is one: names of classes may have any characters. */
    private static URI address(String scheme, String name) {
        try {
            return new URI(scheme, "", "/" + name.replace('.', '/') + ".class", null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e); // others are quoted
        }
    }

    /** A class of the class path. */
    private static final class Library extends SimpleJavaFileObject {
        private final String name;
        private final InputsSeen seen;

        Library(String name, InputsSeen seen) {
            super(address("classpath", name), Kind.CLASS);
            this.name = name;
            this.seen = seen;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(seen.read(name));
        }
    }

    private static final class Output extends SimpleJavaFileObject {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final URI source;

        Output(String name, URI source) {
            super(address("memory", name), Kind.CLASS);
            this.source = source;
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }
}
