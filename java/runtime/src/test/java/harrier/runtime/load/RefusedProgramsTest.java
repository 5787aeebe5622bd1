package harrier.runtime.load;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.Restored;
import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.RuleException;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.refusal.Loading;
import harrier.runtime.step.ActorState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Programs that try to get out of the check, in the folder "refused": a statement a line in refused.txt, a file where it
 * takes more than one method. What each is told is at the line that is refused.
 */
public class RefusedProgramsTest {
    private static final Pattern REFUSED = Pattern.compile("(.*) // refused: ([^;]*)(?:; (--allow .*))?");

    @Rule
    public final Restored restored = new Restored();

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Test
    public void eachIsRefusedThoughItHidesIt() throws Exception {
        Path folder = temporary.getRoot().toPath();
        Map<String, Expected> attacks = write(folder);
        assertTrue(attacks.toString(), attacks.size() > 40);
        UserProgram.prepare();
        LoadedProgram program = Loading.load(UserProgram.read(folder), folder.toString(), "",
            Map.of("names", String.join(",", attacks.keySet())), Options.STANDARD);
        byte[] go = new Codec(program.loader(), program.loader()::defined).encode(1);
        for (ActorState attack : program.initial().creates()) {
            Expected expected = attacks.get(attack.name());
            String told = assertThrows(expected.toString(), RuleException.class,
                () -> UserProgram.answer(program.steps(), attack.local(), new Envelope("", attack.name(), go))).getMessage();
            assertTrue(told + " is not " + expected, told.startsWith(expected.start()) && told.endsWith(expected.end()));
        }
    }

    /** Writes the sources of the program. Gives the classes that attack, and what they are told. */
    private static Map<String, Expected> write(Path folder) throws Exception {
        Map<String, Expected> attacks = new TreeMap<>();
        for (Path file : files(Path.of(RefusedProgramsTest.class.getResource("/refused").toURI()))) {
            boolean isText = file.toString().endsWith(".txt");
            String source = isText ? "Refused.java" : file.getFileName().toString();
            List<String> lines = new ArrayList<>(Files.readAllLines(file));
            for (int i = 0; i < lines.size(); i++) {
                Matcher refused = REFUSED.matcher(lines.get(i));
                if (refused.matches()) {
                    String name = isText ? "Line" + (i + 1) : source.replace(".java", "");
                    attacks.put(name, Expected.of(name, refused, source + ":" + (i + 1)));
                    if (isText) {
                        lines.set(i, "class " + name + " extends Attack { void attack() throws Throwable { "
                            + refused.group(1) + " } }");
                    }
                }
            }
            Files.write(folder.resolve(source), lines);
        }
        return attacks;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    /** How what a statement is told must begin and end. */
    private record Expected(String statement, String start, String end) {
        static Expected of(String name, Matcher refused, String line) {
            String what = refused.group(2);
            String where = what.startsWith("class ") ? "" : name + (what.contains(".the constructor") ? "." : ".attack ");
            String place = where.isEmpty() ? "" : " (" + line + "): ";
            return new Expected(refused.group(1), name + ": " + where + what + place,
                refused.group(3) == null ? "" : refused.group(3) + " lets it happen");
        }
    }
}
