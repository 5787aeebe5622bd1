package harrier.runtime.program;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.RuleException;
import harrier.runtime.jdk.Order;
import harrier.runtime.refusal.Loading;
import harrier.runtime.step.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Batches of steps, which the second copy of a program repeats on a thread of its own. */
public final class SecondCopyTest {
    private static final int MANY = 40;

    private final LoadedProgram program = Loading.load(UserProgram.compile("""
        class A extends Actor {
            int n;
            @Handler void on(Integer k) {
                n += k;
                if (k == 1) n += choose(3);
                if (k == 2) n = Set.of("p", "q", "r").iterator().next().hashCode();
                if (k == 3) System.exit(0);
                if (k == 4) on(k);
                if (k == 5) n = new ArrayList<>(Set.of(1, 2, 3)).size();
            }
        }
        class S extends Scenario {
            protected void setUp() { create("a", new A()); }
        }"""), "here", "", Map.of(), Options.STANDARD);

    @Test
    public void batchesAreAnsweredLikeSingleSteps() {
        List<Integer> messages = new ArrayList<>();
        List<String> single = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int message = List.of(0, 1, 4, 5).get(i % 4); // the third one ends with a StackOverflowError
            messages.add(message);
            single.add(text(answers(List.of(message)).get(0)));
        }
        assertEquals(single, answers(messages).stream().map(SecondCopyTest::text).toList());
        assertEquals(List.of(2, 6, 2, 6), answers(List.of(0, 1, 4, 5)).stream().map(Steps.Answer::executions).toList());
    }

    @Test
    public void theFirstQuestionThatFailsDecides() {
        List<Integer> messages = new ArrayList<>(List.of(0, 2, 0, 3));
        assertThrows(Steps.DifferenceException.class, () -> answers(messages));
        messages.set(1, 3);
        messages.set(3, 2);
        for (int i = 0; i < MANY; i++) {
            messages.add(0);
        }
        String refusal = assertThrows(RuleException.class, () -> answers(messages)).getMessage();
        assertTrue(refusal, refusal.contains("A.on calls System.exit"));
        assertEquals("they go on", 1, answers(List.of(0, 0)).get(1).outcomes().size());
    }

    /** A copy is made in each order that the set-up may see: what harrier itself iterates over, and the JDK to link code, is no reason for more. */
    @Test
    public void setUpsThatIterateOverNothingAreRepeatedOnce() {
        assertEquals(1, orders("", ""));
        assertEquals(3, orders("", "Set.of(1, 2).iterator();"));
        assertEquals(5, orders("", "Set.of(1, 2, 3).iterator();"));
        assertEquals("of a static initializer", 5, orders("static final int FIRST = Set.of(1, 2, 3).iterator().next();", ""));
    }

    private static int orders(String member, String setUp) {
        LoadedProgram loaded = Loading.load(UserProgram.compile("class A extends Actor {} class S extends Scenario { " + member
            + " protected void setUp() { create(\"a\", new A()); " + setUp + " } }"), "here", "", Map.of(), Options.STANDARD);
        return Order.ofSetUp(loaded::again).size();
    }

    private List<Steps.Answer> answers(List<Integer> messages) {
        program.loader().enter();
        byte[] local = program.initial().creates().get(0).local();
        Codec codec = new Codec(program.loader());
        return program.steps().answers(messages.stream()
            .map(m -> Steps.Request.messages(local, List.of(new Envelope("", "a", codec.encode(m))))).toList());
    }

    private static String text(Steps.Answer answer) {
        return answer.executions() + answer.outcomes().stream().map(o -> o.handler() + o.choices()
            + java.util.Arrays.toString(o.local()) + (o.failure() == null ? "" : o.failure().text())).toList().toString();
    }
}
