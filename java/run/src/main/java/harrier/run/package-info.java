/**
 * Runs the harrier binary for builds: {@link harrier.run.ScenarioCheck} checks one scenario, {@link harrier.run.ProjectChecks}
 * those of a project, with reports. The plugins of Gradle and Maven and {@code harrier.junit} are made of these.
 */
package harrier.run;
