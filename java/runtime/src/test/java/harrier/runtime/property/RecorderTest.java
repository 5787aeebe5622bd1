package harrier.runtime.property;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.History;
import harrier.Operation;
import harrier.runtime.UserProgram;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.Guard;
import harrier.runtime.step.OperationRecord;
import harrier.runtime.wire.RecordKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;

/** How histories grow, and which operations they forget. */
public class RecorderTest {
    private static final byte[] EMPTY = {};

    private UserProgram program = program("return true;");

    @Test
    public void stepByStepIsAsAtOnceAndAsTheEventsSay() {
        for (String events : List.of("a+ b+ b- c+ a- b+ c- a+ c+ b- a- c-", "c+ b+ a+ a- a+ b- c- b+ a-")) {
            List<OperationRecord> records = records(events);
            byte[] stepByStep = EMPTY;
            for (OperationRecord r : records) {
                stepByStep = recorder().extend(stepByStep, List.of(r));
            }
            assertArrayEquals(stepByStep, recorder().extend(EMPTY, records));
            assertArrayEquals(program.codec().encode(expected(events)), stepByStep);
        }
    }

    @Test
    public void aStepThatRecordsNothingLeavesTheHistoryAsItIs() {
        program = program("return false;");
        byte[] history = recorder().extend(EMPTY, records("a+ a-"));

        assertArrayEquals(history, recorder().extend(history, List.of()));
        assertArrayEquals(EMPTY, recorder().extend(EMPTY, List.of()));
    }

    @Test
    public void aCompletedOperationThatIsNotKeptGoesWhenTheHistoryGrowsNext() {
        program = program("return false;");

        byte[] one = recorder().extend(EMPTY, records("a+ a-"));
        assertEquals("what returned in this very step stays", "[a1]", show(one));
        assertEquals("[b1]", show(recorder().extend(one, records("b+"))));
        byte[] pending = recorder().extend(EMPTY, records("c+ a+ a-"));
        assertEquals("pending operations stay", "[b1, c1]", show(recorder().extend(pending, records("b+"))));
    }

    @Test
    public void aHistoryOfWhichNothingIsLeftIsEmpty() {
        program = program("return false;");
        byte[] history = recorder().extend(EMPTY, records("a+ a- b+"));

        assertEquals("[b1]", show(recorder().extend(history, records("b-", 1))));
        assertArrayEquals("the clock starts at 0 again", recorder().extend(EMPTY, records("b+ b-")),
            recorder().extend(history, records("b-", 1)));
    }

    @Test
    public void keepsIsAskedAboutTheHistoryThatPropertiesHaveSeen() {
        program = program("return history.pending().size() == 1 && history.operations().contains(operation);");
        byte[] history = recorder().extend(EMPTY, records("a+ a- b+"));

        assertEquals("[a1, b1]", show(recorder().extend(history, records("b-", 1))));
    }

    @Test
    public void whatKeepsChangesInOperationsDoesNotShow() {
        program = program("((List<Integer>) operation.invocation()).add(5); return true;");
        byte[] history = recorder().extend(EMPTY, List.of(record("a", RecordKind.INVOKED, new ArrayList<>(List.of(1))),
            record("a", RecordKind.RETURNED, null)));

        byte[] next = recorder().extend(history, records("b+"));

        assertEquals(List.of(1), decode(next).operations().get(0).invocation());
    }

    @Test
    public void anOperationReturnsOnce() {
        assertEquals("a returns String without a pending operation: call invoked before returned, once for each",
            rule("b+", "a-"));
        assertEquals("a returns String without a pending operation: call invoked before returned, once for each",
            rule("a+ a-", "a-"));
        assertEquals("a returns without a pending operation: call invoked before returned, once for each",
            assertThrows(RuleException.class,
                () -> recorder().extend(EMPTY, List.of(record("a", RecordKind.RETURNED, null)))).getMessage());
    }

    @Test
    public void keepsReadsNothingElse() {
        for (String read : List.of("actors(Actor.class)", "actor(operation.actor(), Actor.class)")) {
            assertKeepsFails(read + "; return true;", "IllegalStateException: keeps must only read what it is given:"
                + " it cannot read actors");
        }
        assertKeepsFails("history(); return true;", "IllegalStateException: keeps must only read what it is given:"
            + " it cannot call history(); it is given the history");
        assertKeepsFails("create(\"x\", new Actor() { }); return true;", "IllegalStateException: keeps must only read what it is"
            + " given: it cannot create actors");
        assertKeepsFails("throw new IllegalStateException(\"no\");", "IllegalStateException: no");
        assertKeepsFails("assert false; return true;", "AssertionError");
    }

    private void assertKeepsFails(String body, String text) {
        program = program(body);
        assertEquals("S.keeps fails: " + text + " at S.keeps(Program.java:3): it must answer for every completed"
            + " operation", rule("a+ a-", "b+"));
    }

    @Test
    public void keepsMustNotEndTheProcess() {
        for (String exit : List.of("System.exit(1); return true;",
                "try { System.exit(1); } catch (Throwable e) { } return true;")) {
            program = program(exit);
            assertEquals("S.keeps: S.keeps calls System.exit (Program.java:3): what is checked must not end"
                + " the process; throw an exception to report a failure",
                rule("a+ a-", "b+"));
            assertNull(Guard.takeRefusal());
        }
    }

    @Test
    public void keepsMustNotDependOnIterationOrder() {
        program = program("return ((Set<Integer>) operation.invocation()).iterator().next() == 1;");
        byte[] history = recorder().extend(EMPTY, List.of(record("a", RecordKind.INVOKED, new HashSet<>(Set.of(1, 16))),
            record("a", RecordKind.RETURNED, null)));

        assertEquals("two answers of S.keeps for the same history: it must not depend on iteration order, time or"
            + " chance", assertThrows(RuleException.class, () -> recorder().extend(history, records("b+")))
                .getMessage());
        new Recorder(program.scenario("S"), program.codec(), Repeater.never(), true).extend(history, records("b+"));
    }

    @Test
    public void aCrashLeavesTheOperationPendingForEver() {
        program = program("return true;");
        byte[] history = recorder().extend(EMPTY, records("a+"));
        byte[] crashed = recorder().extend(history, List.of(record("a", RecordKind.ABANDONED, null)));

        assertEquals(1, decode(crashed).pending().size());
        assertEquals("it may begin another one", "[a1, a2]", show(recorder().extend(crashed, records("a+", 1))));
        assertEquals("a returns String without a pending operation: call invoked before returned, once for each",
            assertThrows(RuleException.class, () -> recorder().extend(crashed, List.of(
                record("a", RecordKind.RETURNED, "late")))).getMessage());
    }

    @Test
    public void aCrashBetweenOperationsChangesNothing() {
        program = program("return true;");
        byte[] history = recorder().extend(EMPTY, records("a+ a-"));

        assertArrayEquals(history, recorder().extend(history, List.of(record("a", RecordKind.ABANDONED, null))));
        assertArrayEquals(EMPTY, recorder().extend(EMPTY, List.of(record("a", RecordKind.ABANDONED, null))));
    }

    @Test
    public void aHistoryThatIsNotKeptStaysEmpty() {
        Recorder recorder = new Recorder(program.scenario("S"), program.codec(), UserProgram.byItself(), false);

        assertArrayEquals(EMPTY, recorder.extend(EMPTY, records("a+ a+")));
    }

    @Test
    public void historiesAreKeptIfTheScenarioCallsHistory() {
        String plain = " protected void setUp() {} ";
        assertTrue(isKept("class S extends Scenario {" + plain + "@Invariant boolean p() { return f(history()); }"
            + " boolean f(History h) { return true; } }"));
        assertTrue("in a lambda", isKept("class S extends Scenario {" + plain
            + "Runnable r = () -> history(); }"));
        assertTrue("by a method reference", isKept("class S extends Scenario {" + plain
            + "java.util.function.Supplier<History> s = this::history; }"));
        assertTrue("in a superclass", isKept("abstract class P extends Scenario { History h() { return history(); } }"
            + " class S extends P {" + plain + "}"));
        assertTrue("from a class inside", isKept("class S extends Scenario {" + plain
            + "class In { History h() { return history(); } } }"));
        assertTrue("from a class inside, of a superclass", isKept("abstract class P extends Scenario { }"
            + " class S extends P {" + plain + "class In { History h() { return S.super.history(); } } }"));
    }

    @Test
    public void noHistoriesAreKeptOtherwise() {
        String s = "class S extends Scenario { protected void setUp() {} ";
        assertTrue(!isKept(s + "}"));
        assertTrue("another method of the name", !isKept(s + "int history(int n) { return n; }"
            + " @Invariant boolean p() { return history(1) == 1; } }"));
        assertTrue("another scenario", !isKept(s + "} class T extends Scenario { protected void setUp() {}"
            + " @Invariant boolean p() { return history() == null; } }"));
        assertTrue("only what is kept of it", !isKept(s
            + "protected boolean keeps(Operation o, History h) { return h.precedes(o, o); } }"));
    }

    private static boolean isKept(String text) {
        ProgramClasses classes = UserProgram.compile(text);
        return Recorder.isKept(new UserProgram(text).type("S").asSubclass(harrier.Scenario.class), classes);
    }

    private static UserProgram program(String keeps) {
        return new UserProgram("class S extends Scenario { int n; protected void setUp() {}\n"
            + "protected boolean keeps(Operation operation, History history) {\n" + keeps + " } }");
    }

    private Recorder recorder() {
        return new Recorder(program.scenario("S"), program.codec(), UserProgram.byItself(), true);
    }

    private OperationRecord record(String actor, RecordKind kind, Object content) {
        return new OperationRecord(actor, kind, program.codec().encode(content));
    }

    private List<OperationRecord> records(String events) {
        return records(events, 0);
    }

    /** Of events like "a+" (a invokes a1, the next time a2) and "a-" (it returns "a1!"), from a count on. */
    private List<OperationRecord> records(String events, int from) {
        List<OperationRecord> records = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (String event : events.split(" ")) {
            String actor = event.substring(0, 1);
            seen.add(event);
            long number = from + seen.stream().filter((actor + "+")::equals).count();
            records.add(event.endsWith("+") ? record(actor, RecordKind.INVOKED, actor + number)
                : record(actor, RecordKind.RETURNED, actor + number + "!"));
        }
        return records;
    }

    /** What a history is by definition: each operation with the places of its events. */
    private History expected(String text) {
        List<String> events = List.of(text.split(" "));
        List<OperationRecord> records = records(text);
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).endsWith("+")) {
                int end = i + 1 + events.subList(i + 1, events.size()).indexOf(events.get(i).charAt(0) + "-");
                boolean ends = end > i;
                operations.add(new Operation(UserProgram.name(records.get(i).actor()), content(records.get(i)),
                    ends ? content(records.get(end)) : null, i, ends ? end : Operation.PENDING));
            }
        }
        return new History(operations);
    }

    private Object content(OperationRecord r) {
        return program.codec().decode(r.payload());
    }

    private History decode(byte[] history) {
        return Recorder.decode(program.codec(), history);
    }

    private String show(byte[] history) {
        return decode(history).operations().stream().map(Operation::invocation).toList().toString();
    }

    private String rule(String before, String event) {
        byte[] history = recorder().extend(EMPTY, records(before));
        return assertThrows(RuleException.class, () -> recorder().extend(history, records(event))).getMessage();
    }
}
