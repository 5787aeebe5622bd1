package harrier.maven;

import harrier.run.ProjectChecks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;

/**
 * Checks scenarios: by default all of the project as they are. The goal {@code harrier:check} runs in the phase {@code verify}, and
 * does nothing while nothing changes that checks read. Reports and traces are in {@code target/harrier}. Its parameters are
 * described in {@code META-INF/maven/plugin.xml}.
 */
public final class CheckMojo extends AbstractMojo {
    private File classes;
    private List<String> classPath;
    private List<String> sources;
    private File base;
    private File results;
    private List<String> checks = List.of();
    private List<String> options = List.of();
    private boolean allowInconclusive;
    private boolean skip;

    @Override public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            return;
        }
        var project = new ProjectChecks(List.of(classes), classPath.stream().map(File::new).filter(f -> !f.equals(classes)).toList(),
            sources.stream().map(File::new).toList(), base.toPath().toAbsolutePath(), results.toPath(), checks, options,
            allowInconclusive);
        Path passed = results.toPath().resolve("passed");
        try {
            String inputs = project.hash();
            if (Files.exists(passed) && Files.readString(passed).equals(inputs)) {
                getLog().info("harrier: nothing changed since the checks passed");
                return;
            }
            Files.deleteIfExists(passed);
            var problems = project.run(line -> getLog().info(line), line -> getLog().warn(line));
            if (!problems.isEmpty()) {
                throw new MojoFailureException(String.join("\n", problems));
            }
            Files.writeString(passed, inputs);
        } catch (IllegalArgumentException | IllegalStateException | IOException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }
}
