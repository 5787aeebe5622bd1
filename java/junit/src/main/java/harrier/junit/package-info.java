/**
 * Checks scenarios in JUnit tests. {@link harrier.junit.HarrierTest} is a test by annotation, and
 * {@link harrier.junit.Harrier} the same by methods. Both run the harrier binary on the class path of the test
 * ({@link harrier.run}). A violation is replayed on the test's own objects, where a debugger sees them: {@code Live} takes the steps of
 * the {@code Trace}.
 */
package harrier.junit;
