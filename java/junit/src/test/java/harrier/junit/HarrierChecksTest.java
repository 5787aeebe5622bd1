package harrier.junit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.TestAbortedException;

public class HarrierChecksTest {
    @ReplayTraces("no/such")
    private static final class Missing implements HarrierChecks {}

    @Test public void aMissingFolderOfTracesIsOneLine() {
        var e = assertThrows(IllegalStateException.class, () -> new Missing().harrier(null));
        assertEquals("@ReplayTraces on " + Missing.class.getName() + ": there is no folder no/such in " + Path.of("").toAbsolutePath()
            + ": make it, or name another", e.getMessage());
    }

    @HarrierTest(scenario = Anything.class, set = {"", "n=1..2, s=\"1,2=3\", m=0,5"})
    private static final class Swept implements HarrierChecks {}

    private static final class Anything extends harrier.Scenario {
        @Override protected void setUp() {}
    }

    @Test public void severalValuesAreATestForEachSetting() {
        assertEquals(List.of("Anything", "Anything {m=0, n=1, s=1,2=3}", "Anything {m=5, n=1, s=1,2=3}", "Anything {m=0, n=2, s=1,2=3}",
            "Anything {m=5, n=2, s=1,2=3}"), new Swept().harrier(null).stream().map(DynamicTest::getDisplayName).toList());
    }

    @Test public void settingsAfterAViolationAreSkipped() throws Throwable {
        Path binary = Files.createTempFile("harrier", ".sh");
        Files.writeString(binary, """
            #!/bin/sh
            case "$*" in
            *"--set m=5 --set n=1"*) echo '{"verdict": "violated", "violation": {"message": "violated: x", "trace": ""}}'; exit 1 ;;
            *) echo '{"verdict": "verified"}' ;;
            esac
            """);
        Files.setPosixFilePermissions(binary, PosixFilePermissions.fromString("rwx------"));
        System.setProperty("harrier.binary", binary.toString());
        try {
            var ends = new ArrayList<String>();
            for (DynamicTest test : new Swept().harrier(entries -> {})) {
                try {
                    test.getExecutable().execute();
                    ends.add("passes");
                } catch (TestAbortedException e) {
                    ends.add(e.getMessage());
                } catch (AssertionError e) {
                    ends.add("fails");
                }
            }
            assertEquals(List.of("passes", "passes", "fails",
                "Anything {m=0, n=2, s=1,2=3} is not checked, as Anything {m=5, n=1, s=1,2=3} is violated",
                "Anything {m=5, n=2, s=1,2=3} is not checked, as Anything {m=5, n=1, s=1,2=3} is violated"), ends);
        } finally {
            System.clearProperty("harrier.binary");
            Files.delete(binary);
        }
    }
}
