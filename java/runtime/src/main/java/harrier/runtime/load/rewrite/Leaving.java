package harrier.runtime.load.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The class files of the stand-ins that each program with threads loads for itself. */
final class Leaving {
    private Leaving() {}

    /** The class file of one, by its internal name. */
    static byte[] bytes(String name) {
        try (InputStream in = Leaving.class.getClassLoader().getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
