package harrier.runtime;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.History;
import harrier.Operation;
import harrier.runtime.codec.Codec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.Test;

/** A history shows the order of operations in real time and nothing else. */
public class HistoryTest {
    private static final Codec CODEC = new Codec(HistoryTest.class.getClassLoader());

    /** Every sequence of so many beginnings and ends of operations of three actors. */
    private static final int EVENTS = 8;

    @Test
    public void precedenceIsReturnBeforeInvocation() {
        History history = history("a+ a- b+ c+ b-");
        Operation a = history.operations().get(0);
        Operation b = history.operations().get(1);
        Operation c = history.operations().get(2);

        assertTrue(history.precedes(a, b) && history.precedes(a, c));
        assertFalse(history.precedes(b, a) || history.precedes(b, c) || history.precedes(c, b));
        assertTrue(history.concurrent(b, c) && history.concurrent(c, b));
        assertFalse(history.concurrent(a, b) || history.concurrent(b, a));
        assertEquals(List.of(a, b), history.completed());
        assertEquals(List.of(c), history.pending());
    }

    @Test
    public void theClockAdvancesOnlyWhenAnInvocationFollowsAReturn() {
        assertEquals("[a1 0-0, b1 0-0, a2 1-, c1 1-1, b2 2-]", show(history("b+ a+ b- a- c+ a+ c- b+")));
        assertEquals("operations of one moment are in the order of names",
            "[a1 0-, b1 0-, c1 0-]", show(history("c+ b+ a+")));
    }

    @Test
    public void equalHistoriesAreExactlyThoseOfEqualOrder() {
        Map<String, History> byOrder = new HashMap<>();
        Map<String, String> byBytes = new HashMap<>();
        everySequence(new ArrayList<>(), sequence -> {
            List<Operation> operations = operations(sequence);
            History history = new History(operations);
            assertEquals(history, byOrder.computeIfAbsent(order(operations), k -> history));
            assertEquals("what the history itself says", order(operations), order(history.operations()));
            assertEquals(order(operations), byBytes.computeIfAbsent(Arrays.toString(CODEC.encode(history)),
                k -> order(operations)));
        });
        assertTrue(byOrder.size() + " orders", byOrder.size() > 500);
        assertEquals(byOrder.size(), byBytes.size());
    }

    @Test
    public void forgettingLeavesTheOrderOfTheRestAndNothingElse() {
        Map<String, History> byOrder = new HashMap<>();
        everySequence(new ArrayList<>(), sequence -> {
            History history = history(String.join(" ", sequence));
            for (Operation forgotten : history.completed()) {
                List<Operation> rest = new ArrayList<>(history.operations());
                rest.remove(forgotten);
                History after = new History(rest);
                assertEquals(order(rest), order(after.operations()));
                assertEquals(after, byOrder.computeIfAbsent(order(rest), k -> after));
            }
        });
    }

    @Test
    public void whatHappensNextIsTheSameAfterEqualHistories() {
        Map<String, History> byHistory = new HashMap<>();
        everySequence(new ArrayList<>(), sequence -> {
            if (!sequence.isEmpty()) {
                String last = sequence.get(sequence.size() - 1);
                History before = history(String.join(" ", sequence.subList(0, sequence.size() - 1)));
                History after = history(String.join(" ", sequence));
                assertEquals(after, byHistory.computeIfAbsent(before + last, k -> after));
            }
        });
    }

    @Test
    public void bytesAreARecordOfRecordsAndActorsAreNames() {
        History history = history("a+ a- b+");
        byte[] bytes = CODEC.encode(history);

        assertEquals(history, CODEC.decode(bytes));
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            text.append(b < ' ' ? "." + b : (char) b);
        }
        assertEquals(".16.15harrier.History.1.10operations.24.2"
            + ".16.17harrier.Operation.5.5actor.12.1a.10invocation.10.2a1.6result.10.3a1!"
            + ".9invokedAt.5.0.10returnedAt.5.0"
            + ".16.17harrier.Operation.5.5actor.12.1b.10invocation.10.2b1.6result.0"
            + ".9invokedAt.5.2.10returnedAt.5.1", text.toString());
    }

    @Test
    public void anOperationEndsAfterItBeginsAndHasNoResultBefore() {
        assertThrows(IllegalArgumentException.class, () -> new Operation(UserProgram.name("a"), "x", null, 2, 1));
        assertThrows(IllegalArgumentException.class,
            () -> new Operation(UserProgram.name("a"), "x", "y", 2, Operation.PENDING));
        assertThrows(NullPointerException.class,
            () -> new Operation(UserProgram.name("a"), null, null, 0, Operation.PENDING));
    }

    /** The order as text, from the definition: who does what, and who precedes whom. */
    private static String order(List<Operation> operations) {
        TreeSet<String> order = new TreeSet<>();
        for (Operation a : operations) {
            order.add(a.actor() + " " + a.invocation() + " " + a.result() + " " + a.isComplete());
            for (Operation b : operations) {
                if (a.isComplete() && a.returnedAt() < b.invokedAt()) {
                    order.add(a.invocation() + "<" + b.invocation());
                }
            }
        }
        return order.toString();
    }

    private interface Visitor {
        void visit(List<String> sequence);
    }

    private static void everySequence(List<String> sequence, Visitor visitor) {
        visitor.visit(sequence);
        if (sequence.size() == EVENTS) {
            return;
        }
        for (String actor : List.of("a", "b", "c")) {
            long begun = sequence.stream().filter(e -> e.startsWith(actor)).count();
            sequence.add(actor + (begun % 2 == 0 ? "+" : "-"));
            everySequence(sequence, visitor);
            sequence.remove(sequence.size() - 1);
        }
    }

    private static History history(String events) {
        return new History(operations(events.isEmpty() ? List.of() : List.of(events.split(" "))));
    }

    /** The operations of events like "a+" (a invokes) and "a-" (a returns), with their places as moments. */
    static List<Operation> operations(List<String> events) {
        Map<String, Operation> pending = new HashMap<>();
        Map<String, Integer> count = new HashMap<>();
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            String actor = events.get(i).substring(0, 1);
            if (events.get(i).endsWith("+")) {
                pending.put(actor, new Operation(UserProgram.name(actor), actor + count.merge(actor, 1, Integer::sum),
                    null, i, Operation.PENDING));
            } else {
                Operation o = pending.remove(actor);
                operations.add(new Operation(o.actor(), o.invocation(), o.invocation() + "!", o.invokedAt(), i));
            }
        }
        operations.addAll(pending.values());
        return operations;
    }

    private static String show(History history) {
        return history.operations().stream().map(o -> o.invocation() + " " + o.invokedAt() + "-"
            + (o.isComplete() ? o.returnedAt() : "")).toList().toString();
    }
}
