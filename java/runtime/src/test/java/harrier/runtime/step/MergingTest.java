package harrier.runtime.step;

import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import harrier.runtime.UserProgram;
import java.util.List;
import org.junit.Test;

/** Handlers that depend on which equal values are one object are found; those for which it decides nothing are let be. */
public class MergingTest {
    private static final UserProgram PROGRAM = new UserProgram("""
        record Value(String s) {}
        class A extends Actor {
            static final Value NONE = new Value("");
            static final Integer LIMIT = 1000;
            static final Object TOKEN = new Object();
            static final class Fixed { final int n; Fixed(int n) { this.n = n; } }
            static final Fixed FIXED = new Fixed(1);
            final Value value = NONE, same = new Value("x"), again = same;
            final Object limit = LIMIT, long1 = 5000L, long2 = long1, token = TOKEN, fixed = FIXED, small = 5;
            final Optional<Value> some = Optional.of(same), other = some;
            final List<Integer> list = List.of(1, 2), twice = list;
            final List<Integer> mine = new ArrayList<>(List.of(1)), yours = new ArrayList<>(List.of(1));
            final Value of1 = new Value("y"), of2 = new Value("y");
            final String own = new String("own");
            final java.util.concurrent.atomic.AtomicReference<Value> atomic =
                new java.util.concurrent.atomic.AtomicReference<>(same);
            Object found;

            @Handler void on(String m) {
                found = switch (m) {
                    case "record" -> same == again;
                    case "record in a static field" -> value == NONE;
                    case "number in a static field" -> limit == LIMIT;
                    case "number" -> long1 == long2;
                    case "optional" -> some == other;
                    case "list" -> list == twice;
                    case "string" -> same.s() == again.s();
                    case "literal" -> value.s() == "";
                    case "literal of another object" -> own != "own";
                    case "compare and set" -> atomic.compareAndSet(again, again);
                    case "identity map" -> {
                        Map<Object, String> all = new IdentityHashMap<>(Map.of(same, m));
                        yield all.put(again, m) != null;
                    }

                    case "objects" -> token == TOKEN && fixed == FIXED && mine != yours;
                    case "equals" -> (same == again || same.equals(again)) && value.equals(NONE) && of1.equals(of2);
                    case "small number" -> small == (Object) 5;
                    case "equal strings" -> {
                        String one = same.s();
                        yield (one == again.s() || one.equals(again.s())) && one == same.s() && one != null && one != value.s()
                            && value.s().intern() == "" && Map.of(own, 1).get("own") == 1;
                    }
                    default -> throw new AssertionError(m);
                };
                if (!(boolean) found && (m.contains("equal") || m.equals("objects"))) throw new IllegalStateException(m);
            }
        }""");

    private static Outcome step(String message) {
        return UserProgram.answer(PROGRAM.stepsOnSecondCopy(), PROGRAM.local("A"), PROGRAM.message(message)).outcomes().get(0);
    }

    @Test
    public void whatDependsOnItIsFound() {
        for (String m : List.of("record", "record in a static field", "number in a static field", "number", "optional", "list",
                "string", "literal", "literal of another object", "compare and set", "identity map")) {
            assertThrows(m, Steps.DifferenceException.class, () -> step(m));
        }
    }

    @Test
    public void whatDoesNotIsLetBe() {
        for (String m : List.of("objects", "equals", "small number", "equal strings")) {
            assertNull(m, step(m).failure());
        }
    }
}
