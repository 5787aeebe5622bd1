package harrier.runtime.load;

import static org.junit.Assert.assertEquals;

import harrier.runtime.UserProgram;
import harrier.runtime.load.compile.ProgramClasses;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.Test;

public class AssertionsTest {
    private static final String PROGRAM = """
        import java.util.function.*;
        enum Deed { GIVE, TAKE }
        class Wrong extends RuntimeException {}
        class A extends Actor {
            class Inner {}
            int n;
            @Handler void on(String m) { %s }
        }
        class S extends Scenario {
            protected void setUp() { %s }
            static void demand(boolean holds) { %s }
        }
        """;

    @Test
    public void whatThrowsOrChecksArgumentsAsserts() {
        for (String statement : new String[] {
            "assert n == 0;", "if (n > 0) throw new IllegalStateException();", "throw new Wrong();",
            "Optional.of(m).orElseThrow(IllegalStateException::new);", "Objects.requireNonNull(m);", "n = Objects.checkIndex(n, 3);",
            "Objects.requireNonNull(m, \"it must be there\");", "String o = Objects.requireNonNull(m);", "List.of(m).forEach(Objects::requireNonNull);",
            "Runnable r = () -> { throw new Wrong(); };"}) {
            assertEquals(statement, true, asserts(statement, "", ""));
        }
        assertEquals("a handler may call it", true, asserts("", "", "if (!holds) throw new Wrong();"));
    }

    @Test
    public void whatJavacAddsAndWhatTheScenarioDoesByItselfAssertNothing() {
        for (String statement : new String[] {
            "n = m.length();", "Supplier<String> s = m::trim;", "A a = this; Inner i = a.new Inner();",
            "n = switch (Deed.valueOf(m)) { case GIVE -> 1; case TAKE -> 2; };", "try { n++; } catch (Wrong e) { throw e; }",
            "Object o = new Wrong[1]; if (o instanceof Wrong) n++;", "n = Objects.requireNonNullElse(n, 1);"}) {
            assertEquals(statement, false, asserts(statement, "", ""));
        }
        assertEquals(false, asserts("", "throw new IllegalArgumentException();", ""));
    }

    @Test
    public void librariesDoNotCount() {
        Map<String, byte[]> all = UserProgram.compile(PROGRAM.formatted("throw new Wrong();", "", "")).bytes();

        assertEquals(false, Assertions.areIn(new ProgramClasses(all, Set.of("S"))));
        assertEquals(true, Assertions.areIn(new ProgramClasses(all, Set.of("A"))));
    }

    @Test
    public void aClassFileThatIsDamagedAssertsNothing() {
        Map<String, byte[]> all = new HashMap<>(UserProgram.compile(PROGRAM.formatted("throw new Wrong();", "", "")).bytes());
        byte[] damaged = all.get("A").clone();
        damaged[9]++; // how many constants there are
        all.put("A", damaged);

        assertEquals(false, Assertions.areIn(new ProgramClasses(all, Set.of("A"))));
    }

    private static boolean asserts(String handler, String setUp, String helper) {
        return Assertions.areIn(UserProgram.compile(PROGRAM.formatted(handler, setUp, helper)));
    }
}
