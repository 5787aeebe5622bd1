package harrier.run;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The checks of a project's scenarios, with reports: {@code junit.xml} as of tests, and {@code harrier.sarif} with the violations
 * as annotations of the sources.
 *
 * @param classes the folders with the project's classes
 * @param libraries what else the class path has
 * @param sources the folders with the project's sources
 * @param base the folder that paths of annotations are relative to
 * @param results the folder for reports and traces
 * @param checks what to check: the name of a scenario's class, and values of parameters such as {@code clients=3}, each after a
 *     space, or several as {@code clients=1..4}, of which the smallest are checked first, up to the first violation; if there are
 *     none, all scenarios of the project as they are
 * @param options others of {@code harrier check}
 * @param allowInconclusive whether a check passes that reaches a limit before it has seen all states
 */
public record ProjectChecks(Collection<File> classes, Collection<File> libraries, Collection<File> sources, Path base, Path results,
        List<String> checks, List<String> options, boolean allowInconclusive) {

    /**
     * The result of a check.
     *
     * @param problem the reason why it does not pass; "" if it does
     */
    record Result(ScenarioCheck check, Verdict verdict, String problem) {}

    /**
     * Checks, and writes the reports.
     *
     * @param log is told of each check that passes
     * @param warn is told if there is nothing to check
     * @return the problems, a text for each check that fails
     */
    public List<String> run(Consumer<String> log, Consumer<String> warn) {
        var results = new ArrayList<Result>();
        var all = checks.isEmpty() ? scenarios() : checks;
        if (all.isEmpty()) {
            warn.accept("harrier: nothing is checked: there is no scenario in " + classes.stream().map(File::getPath).collect(joining(", "))
                + "; classes of tests are not looked at: @HarrierTest of harrier-junit checks their scenarios");
        }
        for (String check : all) {
            for (ScenarioCheck one : checks(check)) {
                var verdict = one.run();
                var problem = allowInconclusive && verdict.isLimited() ? "" : one.problem(verdict);
                if (problem.isEmpty()) {
                    log.accept(one.name() + ": " + verdict.verdict() + ", " + verdict.document().get("states") + " states");
                }
                results.add(new Result(one, verdict, problem));
                if (verdict.verdict().equals("violated")) {
                    break;
                }
            }
        }
        new Reports(this, results).write();
        return results.stream().map(Result::problem).filter(p -> !p.isEmpty()).toList();
    }

    /** A hash of what checks read: the classes, the class path, the checks with their options, and the Java that runs them. */
    public String hash() throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(List.of(checks, options, allowInconclusive, Binary.hash(), System.getProperty("java.home")).toString().getBytes(
                StandardCharsets.UTF_8));
            for (var files : List.of(classes, libraries)) {
                for (File file : files) {
                    hash(file.toPath(), digest);
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void hash(Path root, MessageDigest digest) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (var files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                digest.update((root.relativize(file) + "\n" + Files.size(file) + "\n").getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
        }
    }

    private List<ScenarioCheck> checks(String text) {
        String[] parts = text.strip().split("\\s+");
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].indexOf('=') < 1) {
                throw new IllegalArgumentException("check \"" + text + "\": write name=value after the scenario's class, such as clients=3");
            }
        }
        var file = parts[0].replace('.', '/') + ".class";
        var program = classes.stream().filter(f -> new File(f, file).exists()).findFirst().orElseThrow(() ->
            new IllegalArgumentException("check \"" + text + "\": there is no class " + parts[0] + " in " + classes));
        var others = new ArrayList<String>();
        classes.stream().filter(f -> f != program && f.exists()).forEach(f -> others.add(f.getPath()));
        libraries.stream().filter(File::exists).forEach(f -> others.add(f.getPath()));
        return Settings.of(List.of(parts).subList(1, parts.length)).stream()
            .map(values -> new ScenarioCheck(program.getPath(), others, parts[0], new TreeMap<>(values), options, results)).toList();
    }

    /** The classes of scenarios in the project that can be made, by name. */
    List<String> scenarios() {
        var urls = new ArrayList<URL>();
        for (var files : List.of(classes, libraries)) {
            files.forEach(f -> urls.add(url(f)));
        }
        try (var loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            var scenario = Class.forName("harrier.Scenario", false, loader);
            var found = new ArrayList<String>();
            for (String name : classNames()) {
                if (isScenario(name, scenario, loader)) {
                    found.add(name);
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("looking for scenarios", e);
        } catch (ClassNotFoundException e) {
            return List.of(); // without harrier-api, as where only tests have it, no class is one
        }
    }

    private static boolean isScenario(String name, Class<?> scenario, ClassLoader loader) {
        try {
            var type = Class.forName(name, false, loader);
            return scenario.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())
                && type.getDeclaredConstructors().length > 0 && !type.isAnonymousClass() && !type.isLocalClass();
        } catch (ClassNotFoundException | LinkageError e) {
            return false; // of a library that is not there: a scenario needs none of those
        }
    }

    private List<String> classNames() throws IOException {
        var names = new ArrayList<String>();
        for (File folder : classes) {
            if (folder.isDirectory()) {
                try (var files = Files.walk(folder.toPath())) {
                    files.map(f -> folder.toPath().relativize(f).toString()).filter(f -> f.endsWith(".class"))
                        .map(f -> f.substring(0, f.length() - ".class".length()).replace(File.separatorChar, '.')).forEach(names::add);
                }
            }
        }
        names.sort(null);
        return names;
    }

    private static URL url(File file) {
        try {
            return file.toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(file.toString(), e);
        }
    }
}
