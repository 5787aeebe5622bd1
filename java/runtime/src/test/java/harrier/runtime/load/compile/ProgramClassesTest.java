package harrier.runtime.load.compile;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;

import harrier.runtime.UserProgram;
import java.util.Arrays;
import java.util.Set;
import org.junit.Test;

public class ProgramClassesTest {
    private static final String PROGRAM = """
        class Outer {
            static class Used { static int n; }
            static class Inner extends Outer { Object o = new Used[1]; int n() { return Used.n; } }
            static class Named { Object o() throws Exception { return Class.forName("Outer"); } }
            static class Around { Object o() { return Around.class.getEnclosingClass(); } }
        }""";

    @Test
    public void aClassUsesWhatItsCodeNames() {
        ProgramClasses program = UserProgram.compile(PROGRAM);

        assertEquals("its nest does not count", Set.of("Outer"), program.usedBy("Outer"));
        assertEquals(Set.of("Outer", "Outer$Inner", "Outer$Used"), program.usedBy("Outer$Inner"));
        assertNull("it may use any", program.usedBy("Outer$Named"));
        assertNull("it may use any", program.usedBy("Outer$Around"));
    }

    @Test
    public void aScenarioReachesWhatItsCodeAndDeclarationsName() {
        ProgramClasses program = UserProgram.compile(PROGRAM + """
            class Two { Kind[] kind; static class One { Object o(Kept k) { return new Two(); } } Object one() { return new One(); } }
            class Kept {}
            class Left { Object o() { return new Kept(); } }
            enum Kind { K }
            class Any { Object o() { return new Outer.Named(); } }""");

        assertEquals(Set.of("Two", "Two$One", "Kept", "Kind"), program.reachedFrom("Two").keySet());
        assertEquals("it may find any", program.bytes().keySet(), program.reachedFrom("Any").keySet());
    }

    @Test
    public void linesDoNotCountInAClassOfTheProgram() {
        byte[] plain = UserProgram.compile(PROGRAM).plain("Outer$Inner");

        assertArrayEquals(plain, UserProgram.compile("\n" + PROGRAM).plain("Outer$Inner"));
        assertFalse(Arrays.equals(plain, UserProgram.compile(PROGRAM.replace("Used.n;", "-Used.n;")).plain("Outer$Inner")));
    }
}
