package harrier.runtime.load.compile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

public class NewerJavaTest {
    private static String hint(int here, String... messages) {
        return NewerJava.hint(List.of(messages), here);
    }

    @Test
    public void whatANewerJavaHasIsNamed() {
        assertEquals(", as record patterns need Java 21 and the compiler is that of Java 17: name a newer JDK with --java-home, or write"
            + " it without", hint(17, "A.java:1: error: ';' expected", "    x += switch (m) { case A(int n) -> n; };"));
        assertTrue(hint(17, "        if (o instanceof Pair<Integer> (var a, var b)) {").contains("record patterns"));
        assertTrue(hint(17, "A.java:5: error: patterns in switch statements are a preview feature and are disabled by default.")
            .contains("patterns in switch need Java 21"));
        assertTrue(hint(17, "  symbol:   method addFirst(int)").contains("sequenced collections need Java 21"));
        assertTrue(hint(21, "  as of release 9, '_' is a keyword").contains("unnamed variables need Java 22"));
    }

    @Test
    public void otherMessagesHaveNoHint() {
        assertEquals("", hint(17, "A.java:1: error: ';' expected", "    int x = 1", "    case A -> f(1);", "    switch (n) { case 1: }"));
        assertEquals("", hint(21, "    x += switch (m) { case A(int n) -> n; };"));
    }
}
