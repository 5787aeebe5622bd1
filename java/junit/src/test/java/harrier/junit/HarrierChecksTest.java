package harrier.junit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.nio.file.Path;
import org.junit.Test;

public class HarrierChecksTest {
    @ReplayTraces("no/such")
    private static final class Missing implements HarrierChecks {}

    @Test public void aMissingFolderOfTracesIsOneLine() {
        var e = assertThrows(IllegalStateException.class, () -> new Missing().harrier(null));
        assertEquals("@ReplayTraces on " + Missing.class.getName() + ": there is no folder no/such in " + Path.of("").toAbsolutePath()
            + ": make it, or name another", e.getMessage());
    }
}
