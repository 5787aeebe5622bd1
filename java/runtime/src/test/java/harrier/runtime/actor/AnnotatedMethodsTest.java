package harrier.runtime.actor;

import static org.junit.Assert.assertEquals;

import harrier.Invariant;
import harrier.Scenario;
import harrier.runtime.UserProgram;
import harrier.runtime.load.ProgramLoader;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Methods of classes of several packages; one package is the business of those who ask. */
public class AnnotatedMethodsTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    @Test
    public void aMethodOfOnePackageIsNotOverriddenInAnother() throws ClassNotFoundException {
        assertEquals(List.of("q.C", "p.A"), found("@Invariant", ""));
        assertEquals(List.of("p.A"), found("", ""));
    }

    @Test
    public void unlessAnOverrideMadeItVisible() throws ClassNotFoundException {
        assertEquals(List.of("q.C"), found("@Invariant public", "public boolean holds() { return true; }"));
    }

    /** The classes whose methods are found in q.C, which extends p.B, which extends p.A. */
    private List<String> found(String c, String b) throws ClassNotFoundException {
        UserProgram.prepare();
        String in = "; import harrier.*; public abstract class ";
        write("p/A", "package p" + in + "A extends Scenario { @Invariant boolean holds() { return true; } }");
        write("p/B", "package p" + in + "B extends A { " + b + " }");
        write("q/C", "package q" + in + "C extends p.B { " + c + " boolean holds() { return true; } }");
        ProgramLoader loader = UserProgram.loader(UserProgram.read(temporary.getRoot().toPath()));
        return AnnotatedMethods.of(loader.loadClass("q.C"), Scenario.class, Invariant.class).stream()
            .map(m -> m.getDeclaringClass().getName()).toList();
    }

    private void write(String name, String text) {
        UserProgram.write(temporary.getRoot().toPath(), name + ".java", text);
    }
}
