package harrier.runtime.property;

import static org.junit.Assert.assertEquals;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Setting;
import harrier.runtime.load.rewrite.FieldReads;
import harrier.runtime.property.Evaluator.Judgement;
import harrier.runtime.wire.FieldNumber;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class FieldsReadTest {
    private static final String CLASSES = """
        class Base extends Actor { int n, other; }
        class A extends Base {
            int n = 2;
            final Pair pair = new Pair(1, new Key(0));
            final Set<Key> keys = new HashSet<>(List.of(new Key(1)));
            final List<Integer> list = new ArrayList<>();
        }
        record Pair(int left, Key right) {}
        class Key {
            int number, text;
            Key(int number) { this.number = number; }
            @Override public int hashCode() { return number; }
            @Override public boolean equals(Object o) { return o instanceof Key k && k.number == number; }
        }
        """;

    @Test
    public void aFieldIsToldByTheClassThatDeclaresIt() {
        assertFields("return a().n == 2;", "A.n");
        assertFields("return ((Base) a()).n == 0;", "Base.n");
        assertFields("return a().other == 0;", "Base.other");
        assertFields("return a() != null;");
    }

    @Test
    public void whatIsWrittenIsNotRead() {
        assertFields("a().n = 3; return true;");
    }

    @Test
    public void recordsReadTheirFields() {
        assertFields("return a().pair.equals(new Pair(1, new Key(0)));", "A.pair", "Pair.left", "Pair.right", "Key.number");
        assertFields("return a().pair.left() == 1;", "A.pair", "Pair.left");
    }

    @Test
    public void lambdasReadFields() {
        assertFields("return Stream.of(a()).allMatch(a -> a.list.isEmpty());", "A.list");
    }

    @Test
    public void whatIsReadForTheOrderOfASetCountsApart() {
        assertFields("return a().keys.size() == 1;", "A.keys");
        assertEquals(List.of(number("Key.number")), judge("return a().keys.size() == 1;").hashed());
        assertFields("return a().keys.contains(new Key(1));", "A.keys", "Key.number");
        assertEquals(List.of(), judge("return a().keys.contains(new Key(1));").hashed());
    }

    @Test
    public void handlesAndReflectionMayReadAnyField() {
        for (String body : List.of(
                "return (int) java.lang.invoke.MethodHandles.lookup().findGetter(Base.class, \"n\", int.class).invoke(a()) == 0;",
                "return (int) java.lang.invoke.MethodHandles.lookup().findVarHandle(Base.class, \"n\", int.class).get(a()) == 0;",
                "return Base.class.getDeclaredField(\"n\").getInt(a()) == 0;")) {
            assertEquals(body, List.of(FieldNumber.ANY), judge("try { " + body + " } catch (Throwable e) { throw new Error(e); }").fields());
        }
    }

    private static void assertFields(String body, String... fields) {
        assertEquals(body, Arrays.stream(fields).map(FieldsReadTest::number).sorted().toList(), judge(body).fields());
    }

    private static int number(String field) {
        return FieldReads.number(field.substring(0, field.indexOf('.')), field.substring(field.indexOf('.') + 1));
    }

    private static Judgement judge(String body) {
        UserProgram program = new UserProgram("import java.util.stream.*;" + CLASSES + """
            class S extends Scenario {
                protected void setUp() {}
                private A a() { return actors(A.class).findFirst().get(); }
                @Invariant boolean p() { %s }
            }""".formatted(body));
        Evaluator evaluator = new Evaluator(program.scenario("S"), List.of(), Setting.of(program.codec(), false, program.loader().covered()), program.loader(), UserProgram.byItself(), false, List.of());
        return UserProgram.evaluate(evaluator, 0, new byte[0], List.of(program.actor("a", "A")));
    }
}
