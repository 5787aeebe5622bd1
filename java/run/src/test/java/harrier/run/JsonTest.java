package harrier.run;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.Test;

public class JsonTest {
    @Test public void readsWhatHarrierWrites() {
        var text = "{\n  \"verdict\": \"violated\",\n  \"complete\": false,\n  \"states\": 12, \"reason\": null, \"empty\": {}, \"none\": [],\n"
            + "  \"violation\": {\"steps\": [{\"text\": \"a \\\"b\\\" \\u003c\\n\\\\ \u00e9\"}, 1.5e3]}\n}\n";
        var steps = List.of(Map.of("text", "a \"b\" <\n\\ \u00e9"), "1.5e3");
        var document = Json.object(text, "it");
        assertEquals("violated", document.get("verdict"));
        assertEquals("false", document.get("complete"));
        assertEquals("12", document.get("states"));
        assertEquals(null, document.get("reason"));
        assertEquals(Map.of(), document.get("empty"));
        assertEquals(List.of(), document.get("none"));
        assertEquals(Map.of("steps", steps), document.get("violation"));
    }

    @Test public void refusesWhatIsNone() {
        for (var text : new String[] {"", "x", "{", "{\"a\"", "{\"a\": ", "{\"a\": [1, }", "{\"a\": \"\\u00", "[1]"}) {
            var e = assertThrows(text, IllegalStateException.class, () -> Json.object(text, "it"));
            assertEquals("it is no JSON document of harrier's", e.getMessage());
        }
    }
}
