package harrier.runtime.load;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.LoadedProgram;
import harrier.runtime.Options;
import harrier.runtime.Restored;
import harrier.runtime.UserProgram;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.RuleException;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.Envelope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;

/** Programs that try to get out of the check, in the folder "refused". What each is told is before the line that is refused. */
public class RefusedProgramsTest {
    private static final Pattern REFUSED = Pattern.compile("// refused: ([^;]*)(?:; (--allow .*))?$");

    @Rule
    public final Restored restored = new Restored();

    @Test
    public void eachIsRefusedThoughItHidesIt() throws Exception {
        Path folder = Path.of(getClass().getResource("/refused").toURI());
        List<String> names = names(folder);
        assertTrue(names.toString(), names.size() > 40);
        UserProgram.prepare();
        LoadedProgram program = LoadedProgram.load(UserProgram.read(folder), folder.toString(), "",
            Map.of("names", String.join(",", names)), Options.STANDARD);
        byte[] go = new Codec(program.loader(), program.loader()::defined).encode(1);
        for (ActorState attack : program.initial().creates()) {
            String told = assertThrows(attack.name(), RuleException.class,
                () -> UserProgram.answer(program.steps(), attack.local(), new Envelope("", attack.name(), go))).getMessage();
            Expected expected = Expected.read(folder, attack.name());
            assertTrue(told + " is not " + expected, told.startsWith(expected.start()) && told.endsWith(expected.end()));
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString().replace(".java", "")).filter(n -> !n.startsWith("Attack"))
                .sorted().toList();
        }
    }

    /** How what is told must begin and end. */
    private record Expected(String start, String end) {
        static Expected read(Path folder, String name) throws IOException {
            List<String> lines = Files.readAllLines(folder.resolve(name + ".java"));
            for (int i = 0; i < lines.size(); i++) {
                Matcher refused = REFUSED.matcher(lines.get(i));
                if (refused.find()) {
                    String what = refused.group(1);
                    String end = refused.group(2) == null ? "" : refused.group(2) + " lets it happen";
                    String where = what.startsWith("class ") ? "" : what.contains(".the constructor") ? name + "."
                        : name + ".attack ";
                    return new Expected(name + ": " + where + what
                        + (where.isEmpty() ? "" : " (" + name + ".java:" + (i + 2) + "): "), end);
                }
            }
            throw new AssertionError(name + " has no line that is refused");
        }
    }
}
