/**
 * Checks scenarios in JUnit tests. {@link harrier.junit.HarrierTest} is a test by annotation, and
 * {@link harrier.junit.Harrier} the same by methods. Both run the harrier binary on the class path of the test.
 */
package harrier.junit;
