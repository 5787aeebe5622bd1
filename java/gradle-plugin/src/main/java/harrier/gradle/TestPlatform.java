package harrier.gradle;

import groovy.lang.Closure;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.gradle.api.GradleException;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.testing.Test;
import org.gradle.api.tasks.testing.TestDescriptor;
import org.gradle.api.tasks.testing.TestListener;
import org.gradle.api.tasks.testing.TestResult;
import org.gradle.util.GradleVersion;

/**
 * Sees to it that the tests of harrier in a test task are run. They are of JUnit 5, which a task runs only if told so, and Gradle only
 * since 4.6: otherwise it runs none of them, and succeeds.
 */
final class TestPlatform {
    private static final String ANNOTATION = "Lharrier/junit/HarrierTest;";
    private static final boolean EXISTS = GradleVersion.current().compareTo(GradleVersion.version("4.6")) >= 0;

    private TestPlatform() {}

    static void watch(Test test) {
        if (!EXISTS) { // so that a build may say useJUnitPlatform() in any case, and learns more when it tests
            test.getExtensions().getExtraProperties().set("useJUnitPlatform", new Closure<Void>(test) {
                public Void doCall(Object... options) {
                    return null;
                }
            });
        }
        Set<String> ran = new TreeSet<>();
        test.addTestListener(new Ran(ran));
        test.doFirst(task -> demandPlatform(test));
        test.doLast(task -> {
            Set<String> declared = declared(test.getTestClassesDirs());
            if (!declared.isEmpty() && Collections.disjoint(ran, declared)) {
                test.getLogger().warn("no @HarrierTest of " + String.join(", ", declared) + " ran");
            }
        });
    }

    private static void demandPlatform(Test test) {
        Set<String> declared = declared(test.getTestClassesDirs());
        if (!declared.isEmpty() && !test.getOptions().getClass().getName().contains("JUnitPlatform")) {
            throw new GradleException("no @HarrierTest of " + String.join(", ", declared) + " would run: " + (EXISTS
                ? "say " + test.getName() + " { useJUnitPlatform() }"
                : "JUnit 5 is run by Gradle 4.6 and later, and this is " + GradleVersion.current().getVersion()
                    + ": run it by JUnit's console, as examples/builds/gradle/build.gradle does"));
        }
    }

    /** The classes that have tests of harrier. */
    private static Set<String> declared(FileCollection folders) {
        Set<String> names = new TreeSet<>();
        for (File folder : folders.getFiles()) {
            if (!folder.isDirectory()) {
                continue;
            }
            try (var files = Files.walk(folder.toPath())) {
                for (var file : (Iterable<Path>) files::iterator) {
                    if (file.toString().endsWith(".class")
                            && new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(ANNOTATION)) {
                        String name = folder.toPath().relativize(file).toString();
                        names.add(name.substring(0, name.length() - ".class".length()).replace(File.separatorChar, '.'));
                    }
                }
            } catch (IOException e) {
                throw new GradleException("reading " + folder + ": " + e.getMessage(), e);
            }
        }
        return names;
    }

    /** Collects the classes whose tests ran. */
    private static final class Ran implements TestListener {
        private final Set<String> classes;

        Ran(Set<String> classes) {
            this.classes = classes;
        }

        @Override public void afterTest(TestDescriptor test, TestResult result) {
            if (test.getClassName() != null) {
                classes.add(test.getClassName());
            }
        }

        @Override public void beforeTest(TestDescriptor test) {}

        @Override public void beforeSuite(TestDescriptor suite) {}

        @Override public void afterSuite(TestDescriptor suite, TestResult result) {}
    }
}
