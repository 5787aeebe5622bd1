package harrier.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

/** Makes the tests that {@link HarrierTest} and {@link ReplayTraces} on a class stand for. */
public interface HarrierChecks {
    /** A test for each set of values and for each trace. */
    @TestFactory
    default List<DynamicTest> harrier(TestReporter reporter) {
        var tests = new ArrayList<DynamicTest>();
        var check = getClass().getAnnotation(HarrierTest.class);
        if (check != null) {
            for (Check c : Check.all(check)) {
                tests.add(DynamicTest.dynamicTest(c.name(), () -> reporter.publishEntry(c.assertVerified().figures())));
            }
        }
        var replay = getClass().getAnnotation(ReplayTraces.class);
        if (replay != null) {
            for (Path trace : traces(replay.value())) {
                tests.add(DynamicTest.dynamicTest(trace.toString(), () -> Harrier.assertGone(trace)));
            }
        }
        if (tests.isEmpty()) {
            throw new IllegalStateException(getClass().getName() + " needs @HarrierTest, or @ReplayTraces on a folder with traces");
        }
        return tests;
    }

    private List<Path> traces(String named) {
        var folder = Path.of(named);
        if (!Files.exists(folder)) {
            throw new IllegalStateException("@ReplayTraces on " + getClass().getName() + ": there is no folder " + named + " in "
                + Path.of("").toAbsolutePath() + ": make it, or name another");
        }
        try (var files = Files.walk(folder)) {
            return files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("@ReplayTraces: " + folder.toAbsolutePath(), e);
        }
    }
}
