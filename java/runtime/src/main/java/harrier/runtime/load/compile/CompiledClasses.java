package harrier.runtime.load.compile;

import harrier.runtime.cache.Blobs;
import harrier.runtime.cache.KeptFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The classes of one compilation, kept in a file so that sources that have not changed are not compiled again.
 *
 * <p>The file holds all that the compiler saw beside what it made, and counts only if a compiler would see
 * the same again, byte for byte. So no checksum decides which classes are checked.
 */
final class CompiledClasses {
    /** Changes with the layout of the files. */
    private static final String LAYOUT = "classes 4";

    private final byte[] how;
    private final ClassPath classPath;

    /**
     * Of a compilation.
     *
     * @param how all that decides what comes out of it, beside the contents of the sources and of the class path
     */
    CompiledClasses(List<String> how, ClassPath classPath) {
        this.classPath = classPath;
        this.how = (LAYOUT + "\n" + String.join("\n", how)).getBytes(StandardCharsets.UTF_8);
    }

    /** The classes, or null if they are not kept, or were made from other sources. */
    ProgramClasses find() {
        byte[] content = KeptFiles.find(file());
        if (content == null) {
            return null;
        }
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
            if (!Arrays.equals(how, Blobs.readOne(in)) || !new InputsSeen(classPath, Blobs.read(in)).areUnchanged()) {
                return null;
            }
            Map<String, byte[]> own = Blobs.read(in);
            Map<String, byte[]> all = Blobs.read(in);
            all.putAll(own);
            return new ProgramClasses(all, own.keySet());
        } catch (IOException e) {
            return null;
        }
    }

    /** Keeps the classes that were made from inputs, unless these have changed meanwhile. */
    void keep(ProgramClasses classes, InputsSeen inputs) {
        if (KeptFiles.isOn() && inputs.areUnchanged()) {
            KeptFiles.keep(file(), content(classes, inputs));
        }
    }

    private byte[] content(ProgramClasses classes, InputsSeen inputs) {
        Map<String, byte[]> others = new TreeMap<>(classes.bytes());
        others.keySet().removeAll(classes.own());
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(content);
            Blobs.write(out, how);
            Blobs.write(out, inputs.contents());
            Blobs.write(out, classes.subset(classes.own()));
            Blobs.write(out, others);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written to but memory
        }
        return content.toByteArray();
    }

    /** Two compilations that share a name by chance take each other's place. */
    private String file() {
        return Long.toHexString(KeptFiles.checksum(how, 0));
    }
}
