/**
 * Runs the harrier binary for builds: {@link harrier.run.ScenarioCheck} checks one scenario, {@link harrier.run.ProjectChecks}
 * those of a project, with reports. The plugins of Gradle and Maven and {@code harrier.junit} are made of these.
 *
 * <p>Both start the {@link harrier.run.Binary}, with {@link harrier.run.Settings} for the options, and read its report
 * ({@code Json}) into a {@link harrier.run.Verdict}; {@code Reports} writes those of a project's checks.
 */
package harrier.run;
