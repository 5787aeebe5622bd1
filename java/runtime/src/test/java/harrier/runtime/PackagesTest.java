package harrier.runtime;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/** The packages of the runtime import one way. */
public class PackagesTest {
    private static final Path SOURCES = Path.of("src/main/java/harrier/runtime");
    /** Each imports only those before it; the last one is harrier.runtime itself. */
    private static final List<String> ORDER = List.of("origin", "failure", "codec", "rules", "load", "analysis", "recheck", "step",
        "property", "");
    private static final Pattern NAMED = Pattern.compile("harrier\\.runtime(?:\\.([a-z]+))?\\.[A-Z]");
    private static final Pattern COMMENT_OR_STRING = Pattern.compile("/\\*.*?\\*/|//[^\n]*|\"[^\"\n]*\"", Pattern.DOTALL);

    @Test
    public void eachPackageImportsOnlyThoseBeforeIt() throws IOException {
        Map<String, String> upwards = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> all = Files.walk(SOURCES)) {
            files = all.filter(f -> f.toString().endsWith(".java")).toList();
        }
        List<String> seen = new ArrayList<>();
        for (Path file : files) {
            String name = SOURCES.relativize(file).toString();
            String own = name.contains("/") ? name.substring(0, name.indexOf('/')) : "";
            seen.add(own);
            for (MatchResult m : NAMED.matcher(COMMENT_OR_STRING.matcher(Files.readString(file)).replaceAll("")).results().toList()) {
                String other = m.group(1) == null ? "" : m.group(1);
                if (ORDER.indexOf(other) > ORDER.indexOf(own)) {
                    upwards.put(name, m.group());
                }
            }
        }
        assertEquals(Map.of(), upwards);
        assertEquals("packages", ORDER.stream().sorted().toList(), seen.stream().distinct().sorted().toList());
    }
}
