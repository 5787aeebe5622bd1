/**
 * The plugin for Maven: {@link harrier.maven.CheckMojo} hands the project's classes to {@link harrier.run.ProjectChecks}.
 */
package harrier.maven;
