package harrier.runtime.load.compile;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.Test;

public class ClassLabelsTest {
    @Test
    public void namesakesBearAsMuchMoreAsTellsThemApart() {
        ClassLabels labels = new ClassLabels(List.of("Alone", "a.P$Go", "a.Q$Go", "b.Q$Go", "Go", "a.S$1", "a.S$1Local",
            "a.T$1Local", "a.b.C", "a.b$C", "x.$Proxy$"));
        assertEquals("Alone", labels.of("Alone"));
        assertEquals("P.Go", labels.of("a.P$Go"));
        assertEquals("a.Q.Go", labels.of("a.Q$Go"));
        assertEquals("b.Q.Go", labels.of("b.Q$Go"));
        assertEquals("Go", labels.of("Go"));
        assertEquals("S$1", labels.of("a.S$1"));
        assertEquals("S$1Local", labels.of("a.S$1Local"));
        assertEquals("T$1Local", labels.of("a.T$1Local"));
        assertEquals("a.b.C", labels.of("a.b.C"));
        assertEquals("a.b$C", labels.of("a.b$C"));
        assertEquals(List.of("Go", "a.Q$Go", "a.S$1Local", "a.T$1Local", "a.b$C", "a.b.C", "a.P$Go", "b.Q$Go").size(),
            labels.longer().size());
    }

    @Test
    public void classesOfOthersHaveSimpleNamesThatTheProgramHasNot() {
        ClassLabels labels = new ClassLabels(List.of("my.Timer"));
        assertEquals("Timer", labels.of("my.Timer"));
        assertEquals("java.util.Timer", labels.of(java.util.Timer.class));
        assertEquals("Entry[]", labels.of(Map.Entry[].class));
        assertEquals("int", labels.of(int.class));
    }
}
