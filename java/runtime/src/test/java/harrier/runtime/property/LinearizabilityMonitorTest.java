package harrier.runtime.property;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.step.OperationRecord;
import harrier.runtime.wire.RecordKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.Test;

/** Which operations are linearizable, and the configurations kept to decide it. */
public class LinearizabilityMonitorTest {
    private static final byte[] EMPTY = {};
    /** Operations are texts: "x" reads x, "x1" writes 1 to it, "x12" replaces 1 by 2 and gives whether it did. */
    private static final String STORE = " final class Store { private final Map<String, String> values = new HashMap<>();\n"
        + " Object apply(String o) { String key = o.substring(0, 1);\n"
        + " if (o.length() == 2) { values.put(key, o.substring(1)); return null; }\n"
        + " if (o.length() == 3) { return values.replace(key, o.substring(1, 2), o.substring(2)); }\n"
        + " return values.get(key); } ";
    private static final UserProgram PLAIN = program(STORE + "}");
    private static final UserProgram KEYED = program(STORE + "static Object key(String o) { return o.substring(0, 1); } }");

    /** Here "x" is a character, as those that read are of a class of their own. */
    private static final UserProgram REGULAR = program(STORE + "Object apply(Character o) { return apply(o.toString()); } }");

    private record Operation(String actor, String invocation, int invokedAt, int returnedAt, Object result) {
        private boolean isComplete() {
            return returnedAt >= 0;
        }

        private boolean precedes(Operation other) {
            return isComplete() && returnedAt < other.invokedAt;
        }
    }

    @Test
    public void itAgreesWithTheEnumerationOfAllOrders() {
        int violations = 0;
        int crashes = 0;
        int rounds = 1500;
        for (int seed = 0; seed < rounds; seed++) {
            List<String> events = randomEvents(new Random(seed), seed % 2 == 0 ? "x" : "xy");
            crashes += events.stream().anyMatch(e -> e.endsWith("!")) ? 1 : 0;
            UserProgram program = seed % 3 == 0 ? KEYED : PLAIN;
            byte[] history = EMPTY;
            boolean violated = false;
            for (int n = 1; n <= events.size() && !violated; n++) {
                history = monitor(program).extend(history, records(program, events.subList(n - 1, n)));
                violated = !isLinearizable(operations(events.subList(0, n)));
                assertEquals(seed + ": " + events.subList(0, n), violated, explanation(program, history) != null);
            }
            violations += violated ? 1 : 0;
            assertArrayEquals(events.toString(), history, monitor(program).extend(EMPTY, records(program, events)));
        }
        assertTrue(violations + " violations", violations > rounds / 5 && violations < rounds * 4 / 5);
        assertTrue(crashes + " with crashes", crashes > rounds / 5);
    }

    /** Events like "a+x1" (a invokes it), "a-1" (it returns 1) and "a!" (a crashes). */
    private static List<String> randomEvents(Random random, String keys) {
        Map<String, String> pending = new HashMap<>();
        List<String> events = new ArrayList<>();
        for (int n = 4 + random.nextInt(9); n > 0; n--) {
            String actor = List.of("a", "b", "c").get(random.nextInt(3));
            if (!pending.containsKey(actor)) {
                String key = String.valueOf(keys.charAt(random.nextInt(keys.length())));
                String operation = key + List.of("", "", "1", "2", "12", "21").get(random.nextInt(6));
                events.add(actor + "+" + operation);
                pending.put(actor, operation);
                continue;
            }
            int values = pending.remove(actor).length();
            events.add(random.nextInt(8) == 0 ? actor + "!" : actor + "-" + (values == 2 ? ""
                : values == 3 ? String.valueOf(random.nextBoolean()) : List.of("", "1", "2").get(random.nextInt(3))));
        }
        return events;
    }

    private static List<Operation> operations(List<String> events) {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            String event = events.get(i);
            String actor = event.substring(0, 1);
            if (event.charAt(1) == '+') {
                operations.add(new Operation(actor, event.substring(2), i, -1, null));
            } else if (event.charAt(1) == '-') {
                int last = operations.size() - 1;
                while (!operations.get(last).actor.equals(actor)) {
                    last--;
                }
                Operation o = operations.get(last);
                operations.set(last, new Operation(actor, o.invocation, o.invokedAt, i, result(event)));
            }
        }
        return operations;
    }

    private static Object result(String event) {
        String text = event.substring(2);
        return text.isEmpty() ? null : text.length() > 1 ? (Object) Boolean.valueOf(text) : text;
    }

    private static boolean isLinearizable(List<Operation> operations) {
        return isLinearizable(operations, Map.of());
    }

    /** Tries all orders, after Wing and Gong. */
    private static boolean isLinearizable(List<Operation> left, Map<String, String> values) {
        if (left.stream().noneMatch(Operation::isComplete)) {
            return true;
        }
        for (Operation o : left) {
            if (left.stream().anyMatch(p -> p.precedes(o))) {
                continue;
            }
            Map<String, String> after = new HashMap<>(values);
            Object result = execute(after, o.invocation);
            List<Operation> rest = new ArrayList<>(left);
            rest.remove(o);
            if ((!o.isComplete() || Objects.equals(result, o.result)) && isLinearizable(rest, after)) {
                return true;
            }
        }
        return false;
    }

    private static Object execute(Map<String, String> values, String operation) {
        String key = operation.substring(0, 1);
        String old = values.get(key);
        switch (operation.length()) {
            case 1 -> {
                return old;
            }
            case 2 -> {
                values.put(key, operation.substring(1));
                return null;
            }
            default -> {
                boolean replaces = operation.substring(1, 2).equals(old);
                if (replaces) {
                    values.put(key, operation.substring(2));
                }
                return replaces;
            }
        }
    }

    @Test
    public void clientsThatRepeatForEverMeetFewSets() {
        Random random = new Random(0);
        Set<String> met = new HashSet<>();
        Map<String, String> values = new HashMap<>();
        Map<String, String> pending = new HashMap<>();
        byte[] history = EMPTY;
        for (int n = 0; n < 4000; n++) {
            String actor = random.nextBoolean() ? "a" : "b";
            String operation = pending.remove(actor);
            String event = actor + "+" + List.of("x", "x1", "x2").get(random.nextInt(3));
            if (operation == null) {
                pending.put(actor, event.substring(2));
            } else {
                Object result = execute(values, operation);
                event = actor + "-" + (result == null ? "" : result);
            }
            history = monitor(PLAIN).extend(history, records(PLAIN, List.of(event)));
            assertNull(explanation(PLAIN, history));
            met.add(Arrays.toString(history));
        }
        assertTrue(met.size() + " sets", met.size() < 150);
    }

    @Test
    public void noSetHasWhatFollowsFromTheOthers() {
        assertEquals("either write, the other one later", 2, size("a+x1", "c+x1", "b+x", "b-1"));
        assertEquals("the other write comes later or never", 1, size("a+x1", "a!", "c+x2", "c!", "b+x", "b-1"));
        assertEquals(1, size("a+x1", "a!", "a+x1", "a!"));
    }

    private static int size(String... events) {
        Map<?, ?> objects = (Map<?, ?>) PLAIN.codec().decode(monitor(PLAIN).extend(EMPTY, records(PLAIN, List.of(events))));
        return ((Set<?>) objects.get(null)).size();
    }

    @Test
    public void whatIsAsAtTheStartIsNoBytes() {
        assertArrayEquals(EMPTY, monitor(PLAIN).extend(EMPTY, records(PLAIN, List.of("a+x", "a-"))));
        assertArrayEquals(EMPTY, monitor(PLAIN).extend(EMPTY, List.of()));
        assertArrayEquals("another key is as at the start", monitor(KEYED).extend(EMPTY, records(KEYED, List.of("a+x1", "a-"))),
            monitor(KEYED).extend(EMPTY, records(KEYED, List.of("a+x1", "b+y", "b-", "a-"))));
    }

    @Test
    public void aViolationSaysWhatTheSpecificationGives() {
        byte[] history = monitor(PLAIN).extend(EMPTY, records(PLAIN, List.of("a+x1", "b+x", "b-2")));

        assertEquals("b returns 2 from x, where Store gives 1 or nothing", explanation(PLAIN, history));
        assertArrayEquals("it stays", history, monitor(PLAIN).extend(history, records(PLAIN, List.of("a-"))));
    }

    /** One writer and two readers: a read returns the last value written before it, or one that is written meanwhile. */
    @Test
    public void regularReadsAgreeWithTheDefinition() {
        int violations = 0;
        int unordered = 0;
        int rounds = 600;
        for (int seed = 0; seed < rounds; seed++) {
            List<String> events = writesAndReads(new Random(seed));
            List<Operation> operations = operations(events);
            boolean isRegular = operations.stream().filter(o -> o.invocation.equals("x") && o.isComplete())
                .allMatch(read -> isRegular(operations, read));
            byte[] history = monitor(REGULAR).extend(EMPTY, records(REGULAR, events));
            assertEquals(seed + ": " + events, isRegular, explanation(REGULAR, history) == null);
            violations += isRegular ? 0 : 1;
            unordered += isRegular && !isLinearizable(operations) ? 1 : 0;
        }
        assertTrue(violations + " violations", violations > rounds / 10 && violations < rounds * 9 / 10);
        assertTrue(unordered + " are regular and not linearizable", unordered > 0);
    }

    private static List<String> writesAndReads(Random random) {
        Map<String, String> pending = new HashMap<>();
        List<String> events = new ArrayList<>();
        for (int n = 12; n > 0; n--) {
            String actor = List.of("a", "b", "c").get(random.nextInt(3));
            String value = List.of("1", "2", "3").get(random.nextInt(3));
            String operation = pending.remove(actor);
            if (operation == null) {
                pending.put(actor, actor.equals("a") ? "x" + value : "x");
                events.add(actor + "+" + pending.get(actor));
            } else if (random.nextInt(8) == 0) {
                events.add(actor + "!");
                if (actor.equals("a")) {
                    break; // a write that is abandoned is concurrent with all that follow
                }
            } else {
                events.add(actor + "-" + (operation.length() == 2 ? "" : value));
            }
        }
        return events;
    }

    private static boolean isRegular(List<Operation> operations, Operation read) {
        List<Operation> writes = operations.stream().filter(o -> o.invocation.length() == 2).toList();
        String last = writes.stream().filter(w -> w.precedes(read)).reduce((earlier, later) -> later)
            .map(w -> w.invocation.substring(1)).orElse(null);
        return Objects.equals(read.result, last) || writes.stream().anyMatch(w -> !w.precedes(read) && !read.precedes(w)
            && w.invocation.substring(1).equals(read.result));
    }

    @Test
    public void readsThatEndLeaveNothingBehind() {
        assertArrayEquals(EMPTY, monitor(REGULAR).extend(EMPTY, records(REGULAR, List.of("b+x", "c+x", "b!", "c-"))));
        assertArrayEquals(monitor(REGULAR).extend(EMPTY, records(REGULAR, List.of("a+x1", "a-"))),
            monitor(REGULAR).extend(EMPTY, records(REGULAR, List.of("b+x", "a+x1", "c+x", "a-", "c-1", "b-"))));
    }

    @Test
    public void whatASpecificationChoosesIsExplored() {
        UserProgram bag = program("class Store { int left = 3; Object apply(String o, java.util.function.IntUnaryOperator choose) {"
            + " int taken = choose.applyAsInt(left + 1); left -= taken; return String.valueOf(taken); } }");

        assertNull(explanation(bag, monitor(bag).extend(EMPTY, records(bag, List.of("a+x", "b+x", "a-2", "b-1", "a+x", "a-0")))));
        assertEquals("b returns 2 from x, where Store gives 0 or 1",
            explanation(bag, monitor(bag).extend(EMPTY, records(bag, List.of("a+x", "a-2", "b+x", "b-2")))));
        assertEquals("the specification Store fails: IllegalArgumentException: a choice among 0: at least one alternative is needed at"
            + " Store.apply(Program.java:1): it must give a result for every operation in every state, or throw MustWait where the operation cannot take effect yet",
            refused(program("class Store { Object apply(String o, java.util.function.IntUnaryOperator choose) { return"
                + " choose.applyAsInt(0); } }"), "a+x", "a-1"));
    }

    @Test
    public void whatMustWaitTakesEffectWhenItMay() {
        UserProgram queue = program("class Store { Deque<String> all = new ArrayDeque<>(); Object apply(String o) {"
            + " if (o.length() == 2) { all.add(o.substring(1)); return null; } if (all.isEmpty()) throw new MustWait();"
            + " return all.remove(); } }");

        for (List<String> events : List.of(List.of("a+x", "b+x1", "b-", "a-1"), List.of("a+x", "c+x", "b+x1", "a-1", "b-"),
                List.of("a+x", "a!", "b+x1", "b-", "c+x", "c-1"))) {
            assertNull(events.toString(), explanation(queue, monitor(queue).extend(EMPTY, records(queue, events))));
        }
        assertEquals("a returns 1 from x, where Store has it wait",
            explanation(queue, monitor(queue).extend(EMPTY, records(queue, List.of("a+x", "a-1")))));
        assertEquals("c returns 1 from x, where Store has it wait",
            explanation(queue, monitor(queue).extend(EMPTY, records(queue, List.of("b+x1", "b-", "a+x", "a-1", "c+x", "c-1")))));
    }

    @Test
    public void anActorHasOneOperationAtATime() {
        assertEquals("a invokes String while its String is pending: an actor has one operation at a time, so call returned"
            + " before invoked", refused(PLAIN, "a+x", "a+x"));
        assertEquals("a returns String without a pending operation: call invoked before returned, once for each",
            refused(PLAIN, "a+x", "a!", "a-1"));
    }

    @Test
    public void theMostSpecificMethodIsCalled() {
        UserProgram program = program("class Store { Object apply(Object o) { return \"1\"; } String apply(CharSequence o) { return"
            + " \"2\"; } Object apply(Integer o) { return \"3\"; } }");

        assertEquals("a returns 1 from x, where Store gives 2", explanation(program, monitor(program).extend(EMPTY,
            records(program, List.of("a+x", "a-1")))));
    }

    @Test
    public void specificationsThatFailAreRefused() {
        assertEquals("Store has no method apply(String): a specification has one for each class that invoked is given",
            refused(program("class Store { Object apply(Integer o) { return null; } }"), "a+x", "a-1"));
        assertEquals("Store has several methods that fit apply(String): add one for exactly this class",
            refused(program("class Store { Object apply(CharSequence o) { return null; } Object apply(Comparable<?> o) { return null; } }"),
                "a+x", "a-1"));
        assertEquals("the specification Store fails: IllegalStateException: no at Store.apply(Program.java:1): it must give a result"
            + " for every operation in every state, or throw MustWait where the operation cannot take effect yet",
            refused(program("class Store { Object apply(String o) { throw new IllegalStateException(\"no\"); } }"), "a+x", "a-1"));
        assertEquals("two answers of the specification Store for the same operations: it must not depend on iteration order, time"
            + " or chance", refused(program("class Store { Object apply(String o) { return"
                + " new HashSet<>(Set.of(1, 16)).iterator().next(); } }"), "a+x", "a-1"));
        assertEquals("the specification Store: Store.apply calls System.exit (Program.java:1): what is checked must not"
            + " end the process; throw an exception to report a failure",
            refused(program("class Store { Object apply(String o) { System.exit(1); return null; } }"), "a+x", "a-1"));
    }

    @Test
    public void classesThatAreNoSpecifications() {
        String must = "Store cannot be a specification: it must be a class that is not abstract, with a constructor without"
            + " parameters; declare inner classes static";
        assertEquals(must, wrong("abstract class Store { Object apply(String o) { return null; } }"));
        assertEquals(must, wrong("class Store { Store(int n) { } Object apply(String o) { return null; } }"));
        assertEquals("Store cannot be a specification: it needs a method apply for each class that invoked is given, which takes it"
            + " and gives the result", wrong("class Store { static Object apply(String o) { return null; } }"));
    }

    private static String wrong(String text) {
        UserProgram program = program(text);
        return assertThrows(UsageException.class, () -> monitor(program)).getMessage();
    }

    private static String refused(UserProgram program, String... events) {
        return assertThrows(RuleException.class, () -> monitor(program).extend(EMPTY, records(program, List.of(events)))).getMessage();
    }

    private static UserProgram program(String text) {
        return new UserProgram(text + " class S extends Scenario { protected void setUp() {} }");
    }

    private static LinearizabilityMonitor monitor(UserProgram program) {
        Repeater<SpecificationSteps> again = List.of(PLAIN, KEYED, REGULAR).contains(program) ? Repeater.never() : UserProgram.byItself();
        return new LinearizabilityMonitor(program.type("Store"), program == REGULAR ? Character.class : null, program.codec(), again, true);
    }

    private static List<OperationRecord> records(UserProgram program, List<String> events) {
        return events.stream().map(e -> switch (e.charAt(1)) {
            case '+' -> new OperationRecord(e.substring(0, 1), RecordKind.INVOKED, program.codec().encode(program == REGULAR && e.length() == 3
                ? (Object) e.charAt(2) : e.substring(2)));
            case '-' -> new OperationRecord(e.substring(0, 1), RecordKind.RETURNED, program.codec().encode(result(e)));
            default -> new OperationRecord(e.substring(0, 1), RecordKind.ABANDONED, program.codec().encode((Object) null));
        }).toList();
    }

    private static String explanation(UserProgram program, byte[] history) {
        return LinearizabilityMonitor.explanation(program.codec(), history, "Store");
    }
}
