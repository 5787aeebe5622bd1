package harrier.gradle;

import harrier.run.ProjectChecks;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.TaskAction;

/**
 * Checks scenarios: by default all of the project as they are. It is up to date while nothing changes that checks read. Reports
 * and traces are in {@code build/harrier}.
 */
public class HarrierCheck extends DefaultTask {
    private FileCollection classes;
    private FileCollection libraries;
    private FileCollection sources;
    private File base;
    private File results;
    private List<String> checks = new ArrayList<>();
    private List<String> options = new ArrayList<>();
    private boolean allowInconclusive;

    /** The project's classes. */
    @Classpath public FileCollection getClasses() {
        return classes;
    }

    public void setClasses(FileCollection files) {
        classes = files;
    }

    /** What else the class path has. */
    @Classpath public FileCollection getLibraries() {
        return libraries;
    }

    public void setLibraries(FileCollection files) {
        libraries = files;
    }

    /** The folders with sources, for annotations. */
    @Internal public FileCollection getSources() {
        return sources;
    }

    public void setSources(FileCollection files) {
        sources = files;
    }

    /** The folder that paths of annotations are relative to. */
    @Internal public File getBase() {
        return base;
    }

    public void setBase(File folder) {
        base = folder;
    }

    /** The folder for reports and traces. */
    @OutputDirectory public File getResults() {
        return results;
    }

    public void setResults(File folder) {
        results = folder;
    }

    /** What to check, such as {@code 'sample.Lock clients=3'}: a class, and values of parameters; if none, all scenarios. */
    @Input public List<String> getChecks() {
        return checks;
    }

    public void setChecks(List<String> all) {
        checks = all;
    }

    /** Other options of {@code harrier check}, such as {@code '--timeout', '60s'}. */
    @Input public List<String> getOptions() {
        return options;
    }

    public void setOptions(List<String> all) {
        options = all;
    }

    /** Whether a check passes that reaches a limit before it has seen all states. */
    @Input public boolean getAllowInconclusive() {
        return allowInconclusive;
    }

    public void setAllowInconclusive(boolean allow) {
        allowInconclusive = allow;
    }

    @TaskAction public void check() {
        var project = new ProjectChecks(classes.getFiles(), libraries.getFiles(), sources.getFiles(),
            base.toPath().toAbsolutePath(), results.toPath(), List.copyOf(checks), List.copyOf(options),
            allowInconclusive);
        List<String> problems;
        try {
            problems = project.run(getLogger()::lifecycle, getLogger()::warn);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new GradleException(e.getMessage(), e);
        }
        if (!problems.isEmpty()) {
            throw new GradleException(String.join("\n", problems));
        }
    }
}
