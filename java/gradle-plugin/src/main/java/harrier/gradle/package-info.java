/**
 * The plugin for Gradle: {@link harrier.gradle.HarrierPlugin} adds the task {@link harrier.gradle.HarrierCheck}, which hands the
 * project's classes to {@link harrier.run.ProjectChecks}.
 */
package harrier.gradle;
