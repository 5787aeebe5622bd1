package harrier.junit;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ClassPathTest {
    @Rule public final TemporaryFolder folder = new TemporaryFolder();

    @Test public void looksIntoJarsThatOnlyReferToOthers() throws Exception {
        File classes = folder.newFolder("with space");
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "with%20space/ gone.jar runner.jar");
        File jar = new File(folder.getRoot(), "runner.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar.toPath()), manifest)) {
            out.finish();
        }
        String before = System.setProperty("java.class.path", jar.getPath());
        try {
            assertEquals(Set.of(jar.getPath(), classes.getPath()), ClassPath.of(ClassPathTest.class).libraries());
        } finally {
            System.setProperty("java.class.path", before);
        }
    }

    @Test public void tracesGoIntoTheFolderOfTheBuild() {
        for (var c : List.of(List.of("/p/target/classes", "/p/target/harrier"), List.of("/p/build/classes/java/main", "/p/build/harrier"),
                List.of("/p/lib/p.jar", "harrier-out"))) {
            assertEquals(Path.of(c.get(1)), new ClassPath(c.get(0), Set.of()).results());
        }
    }
}
