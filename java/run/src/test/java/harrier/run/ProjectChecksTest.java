package harrier.run;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** With a binary that finds a violation in p.Wrong, and none in other scenarios. */
public class ProjectChecksTest {
    private static final File API = new File(harrier.Scenario.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    @Rule public final TemporaryFolder folder = new TemporaryFolder();
    private Path sources;
    private Path classes;
    private final List<String> log = new ArrayList<>();
    private final List<String> warned = new ArrayList<>();

    @Before public void prepare() throws Exception {
        sources = folder.newFolder("src").toPath();
        classes = folder.newFolder("classes").toPath();
        compile("Right", "public class Right extends harrier.Scenario { protected void setUp() {} }");
        compile("Wrong", "public class Wrong extends Right { record Not() {} abstract static class Half extends harrier.Scenario {} }");
        Path binary = folder.newFile("harrier").toPath();
        Files.writeString(binary, """
            #!/bin/sh
            case "$*" in
            show*) echo 'a run with <b> & "c"' ;;
            *p.Wrong*) echo '{"verdict": "violated", "states": 3, "seconds": 0.5, "violation":
                {"message": "violated: x", "trace": "/t/trace.json", "replay": "harrier replay /t/trace.json", "place": "Wrong.java:7"}}'
                exit 1 ;;
            *--max-states*) echo '{"verdict": "inconclusive", "reason": "a limit", "states": 1, "transitions": 0,
                "statesGivenUp": 7, "seconds": 0.5}'; exit 3 ;;
            *n=idle*) echo '{"verdict": "inconclusive", "complete": true, "reason": "verified nothing", "states": 1, "transitions": 0, "seconds": 0.5}'; exit 3 ;;
            *n=oops*) echo 'harrier: n is a number' >&2; exit 2 ;;
            *) echo '{"verdict": "verified", "states": 2, "seconds": 0.5}' ;;
            esac
            """);
        Files.setPosixFilePermissions(binary, PosixFilePermissions.fromString("rwx------"));
        System.setProperty("harrier.binary", binary.toString());
    }

    @After public void end() {
        System.clearProperty("harrier.binary");
    }

    private void compile(String name, String text) throws Exception {
        Path file = Files.createDirectories(sources.resolve("p")).resolve(name + ".java");
        Files.writeString(file, "package p; " + text);
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", classes.toString(), "-cp",
            API + File.pathSeparator + classes, file.toString()));
    }

    private ProjectChecks project(boolean allowInconclusive, List<String> options, String... checks) {
        return new ProjectChecks(List.of(classes.toFile(), new File("/no/such")), List.of(API), List.of(sources.toFile()),
            folder.getRoot().toPath(), folder.getRoot().toPath().resolve("results"), List.of(checks), options, allowInconclusive);
    }

    private List<String> run(String... checks) {
        return project(false, List.of(), checks).run(log::add, warned::add);
    }

    @Test public void scenariosAreFound() {
        assertEquals(List.of("p.Right", "p.Wrong"), project(false, List.of()).scenarios());
    }

    @Test public void aViolationIsTold() throws Exception {
        var problems = run("p.Right n=2 m=x", "p.Wrong");
        assertEquals(List.of("Right {m=x, n=2}: verified, 2 states"), log);
        assertEquals(List.of("""
            Wrong: violated: x

            a run with <b> & "c"
            trace:      /t/trace.json
            replay it:  harrier replay /t/trace.json
            """), problems);
        var suite = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(results("junit.xml")).getDocumentElement();
        assertEquals("1", suite.getAttribute("failures"));
        assertEquals(2, suite.getElementsByTagName("testcase").getLength());
        assertEquals(problems.get(0), suite.getElementsByTagName("failure").item(0).getTextContent());
        var sarif = Json.object(Files.readString(results("harrier.sarif").toPath()), "SARIF");
        var found = at(sarif, "runs", 0, "results", 0);
        assertEquals(problems.get(0), at(found, "message", "text"));
        assertEquals("src/p/Wrong.java", at(found, "locations", 0, "physicalLocation", "artifactLocation", "uri"));
        assertEquals("7", at(found, "locations", 0, "physicalLocation", "region", "startLine"));
    }

    @Test public void severalValuesAreCheckedUpToTheFirstViolation() {
        assertEquals(1, run("p.Right n=1..2 m=0,1", "p.Wrong n=1..3").size());
        assertEquals(List.of("Right {m=0, n=1}: verified, 2 states", "Right {m=1, n=1}: verified, 2 states",
            "Right {m=0, n=2}: verified, 2 states", "Right {m=1, n=2}: verified, 2 states"), log);
    }

    private File results(String name) {
        return folder.getRoot().toPath().resolve("results").resolve(name).toFile();
    }

    /** A part of a JSON document. */
    private static Object at(Object json, Object... path) {
        for (Object key : path) {
            json = key instanceof Integer i ? ((List<?>) json).get(i) : ((Map<?, ?>) json).get(key);
        }
        return json;
    }

    @Test public void allScenariosAreCheckedIfNoneIsNamed() {
        assertEquals(1, run().size());
        assertEquals(List.of("Right: verified, 2 states"), log);
    }

    @Test public void aProjectMayHaveNone() throws Exception {
        for (String name : List.of("Right", "Wrong")) {
            Files.delete(classes.resolve("p/" + name + ".class"));
        }
        assertEquals(List.of(), run());
        assertEquals(List.of("harrier: nothing is checked: there is no scenario in " + classes + ", /no/such; classes of tests are not"
            + " looked at: @HarrierTest of harrier-junit checks their scenarios"), warned);
    }

    @Test public void aProjectMayLackTheApi() {
        var project = new ProjectChecks(List.of(classes.toFile()), List.of(), List.of(), folder.getRoot().toPath(),
            folder.getRoot().toPath().resolve("results"), List.of(), List.of(), false);
        assertEquals(List.of(), project.run(log::add, warned::add));
        assertEquals(1, warned.size());
    }

    @Test public void inconclusivePassesOnlyIfAllowed() {
        var limited = List.of("--max-states", "1");
        assertEquals(List.of("Right is inconclusive: a limit; states 1 (and 7 of searches that began anew), transitions 0, seconds 0.50"), project(false, limited, "p.Right").run(log::add, warned::add));
        assertEquals(List.of(), project(true, limited, "p.Right").run(log::add, warned::add));
        assertEquals("all states were seen", List.of("Right {n=idle} is inconclusive: verified nothing; states 1, transitions 0, seconds 0.50"),
            project(true, List.of(), "p.Right n=idle").run(log::add, warned::add));
    }

    @Test public void whatIsWrongIsSaid() {
        for (var wrong : Map.of("p.Right 3", "check \"p.Right 3\": write name=value", "p.None", "there is no class p.None in",
            "p.Right n=oops", "harrier ended with exit code 2: harrier: n is a number").entrySet()) {
            var e = assertThrows(RuntimeException.class, () -> run(wrong.getKey()));
            assertTrue(e.getMessage(), e.getMessage().contains(wrong.getValue()));
        }
    }

    @Test public void theHashIsOfAllThatChecksRead() throws Exception {
        String before = project(false, List.of(), "p.Right").hash();
        assertEquals(before, project(false, List.of(), "p.Right").hash());
        assertNotEquals(before, project(false, List.of(), "p.Right n=3").hash());
        assertNotEquals(before, project(false, List.of("--search", "dfs"), "p.Right").hash());
        compile("Right", "public class Right extends harrier.Scenario { int more; protected void setUp() {} }");
        assertNotEquals(before, project(false, List.of(), "p.Right").hash());
    }
}
