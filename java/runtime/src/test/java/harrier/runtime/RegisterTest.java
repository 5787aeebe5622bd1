package harrier.runtime;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import harrier.runtime.codec.Codec;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.step.OperationRecord;
import harrier.runtime.wire.RecordKind;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;

/** What the register's examples say of histories: which are regular, and which operations matter later. */
public class RegisterTest {
    private static final int EVENTS = 7;

    @Rule
    public final Restored restored = new Restored();

    @Test
    public void aReadReturnsTheLastValueBeforeOrOneMeanwhile() {
        Example register = new Example("register", "register.Register");
        assertEquals(true, register.holds("r+ r0"));
        assertEquals(false, register.holds("r+ r10"));
        assertEquals(true, register.holds("w+ w- r+ r10"));
        assertEquals(false, register.holds("w+ w- r+ r0"));
        assertEquals("the write is pending", true, register.holds("w+ r+ r0"));
        assertEquals("the write is pending", true, register.holds("w+ r+ r10"));
        assertEquals("the value before the write that ends meanwhile", true, register.holds("w+ r+ w- r0"));
        assertEquals("the first of two meanwhile", true, register.holds("r+ w+ w- w+ w- r10"));
        assertEquals("the last before them", true, register.holds("w+ w- r+ w+ w- w+ r10"));
        assertEquals("overwritten before the read", false, register.holds("w+ w- w+ w- r+ r10"));
        assertEquals("new, then old: regular, if not atomic", true, register.holds("w+ r+ r10 r+ r0"));
        assertEquals("written later", false, register.holds("r+ r10 w+"));
    }

    @Test
    public void wronglyAReadReturnsWhatWasWrittenMeanwhile() {
        Example wrong = new Example("register-wrong", "registerwrong.RegisterWrong");
        assertEquals(false, wrong.holds("w+ r+ w- r0"));
        assertEquals(true, wrong.holds("w+ r+ w- r10"));
        assertEquals("the write ends after the read", true, wrong.holds("w+ r+ r0 w-"));
        assertEquals("the write is pending", true, wrong.holds("w+ r+ r0"));
        assertEquals("no write meanwhile", true, wrong.holds("w+ w- r+ r0"));
    }

    /** With two readers: of all histories of some length, judged as they grow. */
    @Test
    public void whatIsForgottenMakesNoDifference() {
        Example register = new Example("register", "register.Register");
        int[] judged = new int[2];
        grow(register, new ArrayList<>(), new byte[0], judged);
        assertTrue(judged[0] + " hold, " + judged[1] + " do not", judged[0] > 1000 && judged[1] > 1000);
    }

    private static void grow(Example register, List<String> events, byte[] history, int[] judged) {
        for (String next : next(events)) {
            events.add(next);
            byte[] longer = register.extend(history, events);
            boolean holds = register.holds(longer);
            assertEquals(events.toString(), isRegular(events), holds);
            judged[holds ? 0 : 1]++;
            // After a violation a search may go on, but then anything goes.
            if (holds && events.size() < EVENTS) {
                grow(register, events, longer, judged);
            }
            events.remove(events.size() - 1);
        }
    }

    private static List<String> next(List<String> events) {
        List<String> next = new ArrayList<>();
        next.add(isPending(events, "w") ? "w-" : "w+");
        for (String reader : List.of("r", "s")) {
            next.addAll(isPending(events, reader) ? List.of(reader + "0", reader + "10", reader + "20")
                : List.of(reader + "+"));
        }
        return next;
    }

    private static boolean isPending(List<String> events, String actor) {
        return events.stream().filter(e -> e.startsWith(actor)).count() % 2 == 1;
    }

    /** By definition: if the last event is a read's, it returns one of the values that the register may have. */
    private static boolean isRegular(List<String> events) {
        String last = events.get(events.size() - 1);
        if (last.startsWith("w") || last.endsWith("+")) {
            return true;
        }
        int begin = events.lastIndexOf(last.charAt(0) + "+");
        long ended = events.subList(0, begin).stream().filter("w-"::equals).count();
        long begun = events.stream().filter("w+"::equals).count();
        long value = Long.parseLong(last.substring(1)) / 10;
        return ended <= value && value <= begun;
    }

    /** An example, with histories in place of runs. */
    private static final class Example {
        private final LoadedProgram program;
        private final Codec codec;

        Example(String folder, String type) {
            program = Loading.load(UserProgram.read(Examples.folder().resolve(folder)), folder, type, Map.of(),
                new Options(Recheck.NONE, false, Rules.STRICT));
            codec = new Codec(program.loader());
        }

        /** Whether the property holds after each of the events. */
        boolean holds(String text) {
            List<String> events = List.of(text.split(" "));
            byte[] history = {};
            boolean holds = true;
            for (int i = 1; i <= events.size(); i++) {
                history = extend(history, events.subList(0, i));
                holds &= holds(history);
            }
            return holds;
        }

        boolean holds(byte[] history) {
            return UserProgram.evaluate(program.evaluator(), 0, history, List.of()).holds();
        }

        /** The history with the last of the events. */
        byte[] extend(byte[] history, List<String> events) {
            return program.recorder().extend(history, List.of(last(events)));
        }

        private OperationRecord last(List<String> events) {
            String event = events.get(events.size() - 1);
            String actor = event.substring(0, 1);
            if (event.equals("w+")) {
                int number = (int) events.stream().filter("w+"::equals).count();
                return new OperationRecord(actor, RecordKind.INVOKED, codec.encode(make("register.Write", 10 * number)));
            } else if (event.endsWith("+")) {
                return new OperationRecord(actor, RecordKind.INVOKED, codec.encode(make("register.Read")));
            }
            Object result = event.equals("w-") ? null : Integer.valueOf(event.substring(1));
            return new OperationRecord(actor, RecordKind.RETURNED, codec.encode(result));
        }

        private Object make(String type, Object... arguments) {
            try {
                Constructor<?> constructor = program.loader().loadClass(type).getDeclaredConstructors()[0];
                return constructor.newInstance(arguments);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }
}
