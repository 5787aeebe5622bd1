package harrier.junit;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.Actor;
import harrier.host.Stage;
import harrier.run.Binary;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The traces are what {@code harrier check java/junit/src/test/java/everything} and that of {@code service} wrote, without
 * what only harrier itself reads.
 */
public class LiveTest {
    private static final String STORED = LiveTest.class.getResource("/everything.json").getPath();
    private static final String LASSO = LiveTest.class.getResource("/service.json").getPath();

    @Rule public final TemporaryFolder folder = new TemporaryFolder();

    /** The program to debug. */
    static final class Debugged {
        public static void main(String[] trace) {
            Harrier.replay(Path.of(trace[0]));
        }
    }

    @Test public void bringsTheViolationAboutByAllKindsOfEvents() throws Exception {
        var e = assertThrows(AssertionError.class, () -> Harrier.replay(Path.of(STORED)));
        assertEquals("violated: the boss is not done", e.getMessage());
        Path bySender = folder.newFile().toPath();
        Files.writeString(bySender, Files.readString(Path.of(STORED)).replace("(Set<Pong>, Set<ActorName>)", "(Map<ActorName, Pong>)"));
        assertThrows(AssertionError.class, () -> Harrier.replay(bySender));
    }

    @Test public void crashesWithinAHandlerWhereTheTraceSays() throws Exception {
        String stored = Files.readString(Path.of(LiveTest.class.getResource("/halfway.json").getPath()));
        Path trace = folder.newFile().toPath();
        for (var c : new String[][] {
                {"4,", "4,", "violated: no two guests have one number"}, {"4,", "6,", ""}, // it holds
                {"4,", "2,", "step 1, office Office.on(Ask): it sends [Ticket[number=0] to office], in the trace [Ticket(number=0) to"
                    + " office, Ticket(number=1) to guest1]"},
                {"4,", "8,", "step 1, office Office.on(Ask): the handler does not come to where the actor crashes"},
                {"restart-within", "stop-within", "step 2, office Office.on(Ask): it fails: java.lang.NullPointerException"}}) {
            Files.writeString(trace, stored.replace("\"version\": 4,", "").replace(c[0], c[1]));
            if (c[2].isEmpty()) {
                Harrier.replay(trace);
                continue;
            }
            var e = assertThrows(Throwable.class, () -> Harrier.replay(trace));
            assertTrue(e.getMessage(), e.getMessage().startsWith(c[2]));
        }
    }

    /** The second time, what the client sends is not equal to what the trace has. */
    @Test public void runsTheLoopTwice() {
        var out = System.out;
        var printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true));
        try {
            var e = assertThrows(AssertionError.class, () -> Harrier.replay(Path.of(LASSO)));
            assertEquals("violated: the server is done: the last 3 steps are repeated for ever", e.getMessage());
        } finally {
            System.setOut(out);
        }
        assertEquals(List.of("Ask[n=1]", "Ask[n=2]"), printed.toString().lines().toList());
    }

    @Test public void endsIfTheLoopCannotBeRunTwice() throws Exception {
        Path trace = folder.newFile().toPath();
        Files.writeString(trace, Files.readString(Path.of(LASSO)).replace("\"loop\": 3", "\"loop\": 2"));
        var e = assertThrows(IllegalStateException.class, () -> Harrier.replay(trace));
        assertTrue(e.getMessage(), e.getMessage().startsWith("step 2, client Client.on(Busy): nobody sent Busy() to client"));
    }

    @Test public void endsAtTheFirstStepThatIsNotAsInTheTrace() throws Exception {
        for (var c : new String[][] {
                {"\"most\", \"value\": \"5\"", "\"most\", \"value\": \"6\"", ""}, // the property holds
                {"\"choices\": [2]", "\"choices\": []",
                "step 4, boss Boss.pick(): it chooses more often than in the trace"},
                {"Go(n=2)", "Go(n=3)", "step 1, boss Boss.on(Go): the live Boss has 0 timers Go(n=3) of this name"},
                {"Boss.pick()", "Boss.peck()", "step 4, boss Boss.peck(): the live Boss has 0 handlers of this name"},
                {"\"event\": \"restart\"", "\"event\": \"byzantine\"",
                    "step 6, server1 Server.onRestart(): nobody has the object that a Byzantine actor sends"}}) {
            Path trace = folder.newFile().toPath();
            Files.writeString(trace, Files.readString(Path.of(STORED)).replace(c[0], c[1]));
            if (c[2].isEmpty()) {
                Harrier.replay(trace);
                continue;
            }
            var e = assertThrows(c[1], IllegalStateException.class, () -> Harrier.replay(trace));
            assertTrue(e.getMessage(), e.getMessage().startsWith(c[2]));
        }
    }

    @Test public void asksForTheFinalConditionThatTheTraceNames() throws Exception {
        String text = Files.readString(Path.of(STORED)).replace("\"kind\": \"invariant\"", "\"kind\": \"final\"");
        Path trace = folder.newFile().toPath();
        Files.writeString(trace, text);
        var none = assertThrows(IllegalStateException.class, () -> Harrier.replay(trace));
        assertTrue(none.getMessage(), none.getMessage().contains("Everything has no method that is a final condition \"the boss is not done\""));

        Files.writeString(trace, text.replace("\"property\": \"the boss is not done\"", "\"property\": \"the boss is not done at the end\""));
        assertThrows(AssertionError.class, () -> Harrier.replay(trace));

        Files.writeString(trace, text.replace("\"property\": \"the boss is not done\"", "\"property\": \"… (expectFinal)\""));
        Harrier.replay(trace); // it is not overridden
    }

    @Test public void stepsInADebugger() throws Exception {
        var jdb = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jdb").toString(), "-classpath",
            classPath(), Debugged.class.getName(), STORED).redirectErrorStream(true).start();
        try (var out = jdb.getInputStream(); var in = new PrintWriter(jdb.getOutputStream(), true)) {
            String prompt = "> ";
            for (var c : new String[][] {
                    {"stop in everything.Everything$Boss.on(java.util.Set,java.util.Set)", "after the class is loaded"},
                    {"stop in harrier.junit.Breakpoint.before", "after the class is loaded"},
                    {"run", "Breakpoint hit: \"thread=main\", harrier.junit.Breakpoint.before()"},
                    {"locals", "actor = \"boss\""}, {"clear harrier.junit.Breakpoint.before", "Removed"},
                    {"cont", "everything.Everything$Boss.on(), line="},
                    {"next", "Step completed"}, {"print seen", "seen = 6"}, {"print this.picked", "this.picked = 2"},
                    {"cont", "java.lang.AssertionError (uncaught)"}}) {
                in.println(c[0]);
                await(out, c[1]);
                prompt = c[0].equals("run") ? "main[1] " : prompt;
                await(out, prompt); // before, jdb may not know yet which thread stopped
            }
        } finally {
            jdb.destroy();
        }
    }

    private static String classPath() throws URISyntaxException {
        var path = new ArrayList<String>();
        for (var type : List.of(LiveTest.class, Harrier.class, Binary.class, Actor.class, Stage.class)) {
            path.add(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
        }
        return String.join(File.pathSeparator, path);
    }

    /** Reads until a text comes. It fails if the program is thrown out of before, where jdb waits for commands. */
    private static void await(InputStream from, String text) throws IOException {
        var said = new StringBuilder();
        while (said.indexOf(text) < 0) {
            int c = from.read();
            if (c < 0 || said.indexOf("(uncaught)") >= 0) {
                throw new AssertionError("jdb does not say: " + text + "\nbut: " + said);
            }
            said.append((char) c);
        }
    }
}
