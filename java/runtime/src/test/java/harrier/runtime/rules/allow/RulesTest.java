package harrier.runtime.rules.allow;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.failure.UsageException;
import harrier.runtime.rules.refuse.RefusedCalls;
import java.util.List;
import org.junit.Test;

public class RulesTest {
    @Test
    public void readsWhatIsAllowed() {
        Rules rules = rules("randomness=seed:-7", "statics=frozen", "time=real");

        assertEquals(Long.valueOf(-7), rules.seed());
        assertTrue(rules.isTimeReal());
        assertTrue(rules.allow(Rule.STATICS, "frozen"));
        assertEquals(null, rules.unique());
        assertEquals(Long.valueOf(3), rules("randomness=unique:3").unique());
        assertEquals(null, rules("randomness=unique:3").seed());
        assertEquals("[time=real, randomness=seed:-7, statics=frozen]", rules.list().toString());
        assertArrayEquals(new double[] {1, 2.5}, rules("randomness=choice:1,2.5").choices(), 0);
    }

    @Test
    public void fieldsWithTheNamesOfMethodsAreNone() {
        assertTrue(RefusedCalls.find("Way", "wait", "()V", (owner, refused) -> refused.equals("java/lang/Object")) >= 0);
        assertEquals(-1, RefusedCalls.find("Way", "wait", "LWay;", (owner, refused) -> refused.equals("java/lang/Object")));
    }

    @Test
    public void theFlagGoesBeforeTheScenario() {
        Rules both = rules("randomness=seed:1").or(rules("randomness=seed:2", "io=read"));

        assertEquals(List.of("randomness=seed:1", "io=read"), both.list());
    }

    @Test
    public void aRuleWithoutValuesIsAllowedByItsName() {
        Rules both = rules("vacuous").or(rules("vacuous", "time=real"));

        assertEquals(List.of("time=real", "vacuous"), both.list());
        assertEquals(both.list(), rules(both.list().toArray(String[]::new)).list());
    }

    @Test
    public void whatIsAllowedOfTheJdkAddsUp() {
        Rules both = rules("jdk=java.net", "jdk=javax.xml,java.lang.ThreadGroup").or(rules("jdk=java.sql"));

        assertEquals(List.of("jdk=java.sql,java.net,javax.xml,java.lang.ThreadGroup"), both.list());
        for (String type : new String[] {"java.net.Socket", "javax.xml.parsers.SAXParser", "java.lang.ThreadGroup", "java.sql.Array"}) {
            assertTrue(type, both.allowJdk(type));
        }
        for (String type : new String[] {"java.nio.Bits", "java.lang.Process", "java.network.X", "org.xml.sax.Parser"}) {
            assertFalse(type, both.allowJdk(type));
        }
    }

    @Test
    public void onlyTheCommandLineOpensTheMachine() {
        Rules line = rules("jdk=java.net", "io=read");

        assertEquals(List.of("io=read", "order=plain", "jdk=java.net.Socket"),
            rules("order=plain", "io=read", "jdk=java.net.Socket").granted("@Allow on S:", line).list());
        for (String text : new String[] {"natives=any", "reflection=any", "jdk=java.net,java.sql"}) {
            assertEquals("@Allow on S: " + text + ": it lets the program reach more of the machine, which only the command line"
                + " allows: --allow " + text, assertThrows(UsageException.class,
                    () -> rules(text).granted("@Allow on S:", line)).getMessage());
        }
    }

    @Test
    public void propertiesAddUpAndTheLastGoesFirst() {
        Rules both = rules("property=a:1,2", "property=b:").or(rules("property=a:3", "property=c:x:y"));

        assertEquals(List.of("property=a:3", "property=c:x:y", "property=a:1,2", "property=b:"), both.list());
        assertEquals("1,2", both.properties().get("a"));
        assertEquals("", both.properties().get("b"));
        assertEquals("x:y", both.properties().get("c"));
        assertEquals(null, both.properties().get("d"));
    }

    @Test
    public void wrongNamesAndValuesAreToldWithWhatThereIs() {
        assertEquals("--allow sped=1: there is no rule \"sped\": there are time (real), randomness"
            + " (seed:N, unique:N, or choice:V1,V2,...), threads (ignore-sleep, sequential-streams, or of-libraries),"
            + " io (read), environment (fixed), property (NAME:VALUE),"
            + " reflection (any), natives (any), statics (frozen), order (plain),"
            + " caught (CLASS, or CLASS1,CLASS2,...), jdk (PACKAGE, or PACKAGE1,PACKAGE2,...), vacuous", wrong("sped=1"));
        assertEquals("--allow vacuous=true: vacuous takes no value", wrong("vacuous=true"));
        for (String value : new String[] {"", "seed:", "seed:x", "unique", "unique:", "choice:", "choice:1,,2", "choice:a", "choice:NaN", "1"}) {
            assertEquals("--allow randomness=" + value + ": what randomness may be is seed:N, unique:N, or choice:V1,V2,...",
                wrong("randomness=" + value));
        }
        for (String text : new String[] {"time", "time=", "time=now", "time=2024-05-01T12:00:00Z", "exit=", "exit", "io=write", "statics", "statics=state", "IO=read", "=", "jdk=", "jdk=java.nett", "jdk=java.net,", "property=a", "property=:1"}) {
            assertTrue(wrong(text).startsWith("--allow " + text + ": "));
        }
    }

    private static Rules rules(String... texts) {
        return Rules.parse("--allow", List.of(texts));
    }

    private static String wrong(String text) {
        return assertThrows(UsageException.class, () -> rules(text)).getMessage();
    }
}
