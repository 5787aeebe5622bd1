package harrier.runtime.jdk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The table of the JDK's methods is what {@code make jdk-effects} makes of their bytecode, and says no less than that of a newer JDK. */
public class JdkMethodsTest {
    private static final Path NEWER = Path.of("/usr/lib/jvm/temurin-25-jdk-amd64");
    private static final Map<String, Map<String, String>> TABLE = JdkMethods.read("methods.txt");

    @Test
    public void tableIsMadeFromBytecode() throws IOException {
        assumeTrue("the table is that of the oldest Java", Runtime.version().feature() == 17);
        assertEquals("run make jdk-effects", JdkTable.text(TABLE),
            JdkTable.text(new JdkTable(JdkTable.ofThisJava()).next(TABLE, false)));
    }

    @Test
    public void tableIsRightOfJava25() throws IOException {
        assumeTrue(Files.isDirectory(NEWER));
        try (FileSystem jrt = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", NEWER.toString()))) {
            Map<String, Map<String, String>> newer = new JdkTable(jrt.getPath("/modules")).next(TABLE, false);
            List<String> wrong = new ArrayList<>();
            TABLE.forEach((type, methods) -> methods.forEach((key, flags) -> {
                String now = newer.getOrDefault(type, Map.of()).getOrDefault(key, flags);
                if (!says(flags, now)) {
                    wrong.add(type + "." + key + " is " + flags + ", and " + now + " in Java 25");
                }
            }));
            assertEquals(List.of(), wrong);
        }
    }

    /** Whether a line says all that another one does of writes and comparisons. */
    private static boolean says(String flags, String other) {
        return rank(flags) >= rank(other) && (flags.contains("o") || !other.contains("o"));
    }

    private static int rank(String flags) {
        return flags.startsWith("W") ? 2 : flags.startsWith("w") ? 1 : 0;
    }
}
