package harrier.gradle;

import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.testing.Test;

/**
 * Adds the task {@code harrierCheck} to a Java project, of which {@code check} is made, and fails test tasks that would run none of
 * their tests of harrier. Plugin id: {@code harrier}.
 */
public final class HarrierPlugin implements Plugin<Project> {
    @Override public void apply(Project project) {
        project.getPluginManager().apply(JavaPlugin.class);
        var sources = (SourceSetContainer) project.property("sourceSets"); // a convention's in Gradle 4, an extension since 5
        SourceSet main = sources.getByName(SourceSet.MAIN_SOURCE_SET_NAME);
        var task = project.getTasks().create("harrierCheck", HarrierCheck.class);
        task.setGroup("verification");
        task.setDescription("Model-checks the scenarios of the main classes.");
        task.setClasses(main.getOutput());
        task.setLibraries(main.getRuntimeClasspath().minus(main.getOutput()));
        task.setSources(main.getJava().getSourceDirectories());
        task.setBase(project.getRootDir());
        task.setResults(project.getBuildDir().toPath().resolve("harrier").toFile());
        project.getTasks().getByName("check").dependsOn(task);
        project.getTasks().withType(Test.class, TestPlatform::watch);
    }
}
