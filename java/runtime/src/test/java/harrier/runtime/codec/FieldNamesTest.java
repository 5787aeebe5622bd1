package harrier.runtime.codec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import harrier.runtime.UserProgram;
import harrier.runtime.analysis.Decomposition;
import harrier.runtime.analysis.slice.FieldFact;
import harrier.runtime.codec.graph.Slots;
import harrier.runtime.origin.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The facts of fields name them as the encoding does. */
public class FieldNamesTest {
    @Test
    public void factsAndBytesHaveTheSameFields() {
        UserProgram program = new UserProgram("""
            class Base extends Actor { static int s; int n; private String m; }
            class Outer {
                static class Mid extends Base { int m; int n; transient int t; record R(int a, List<R> b) {} }
                interface Kind { }
                record One(int v) implements Kind { } record Two() implements Kind { }
                class Inner implements Kind { int w; }
            }
            class A extends Outer.Mid { int n; int m; final int z = 3;
                @Handler void on(Outer.Mid.R r) { }
                @Handler void on(Outer.Kind k) { class Local { int n; } send(self(), new Local()); }
                @Handler void on(Object o) { send(self(), new Object() { int q = n; }); } }
            class Wrong extends Exception { String detailMessage; int cause; }
            class Mine extends ArrayList<String> { int ArrayList; }
            class B extends Actor { @Handler void on(Wrong w) { } @Handler void on(Mine m) { } }
            class S extends Scenario { protected void setUp() { create("a", new A()); } }
            """);
        Map<String, List<String>> found = new LinkedHashMap<>();
        for (FieldFact f : Decomposition.of(program.loader().classes(), "S", new Decomposition.Settings(false, true, false, false, false, false, false)).fields()) {
            found.computeIfAbsent(f.type(), k -> new ArrayList<>()).add(f.field());
        }

        assertTrue(found.keySet().toString(), found.keySet().containsAll(List.of("A", "Base", "Outer$Mid", "Outer$Mid$R",
            "Outer$One", "Outer$Inner", "A$1Local")));
        found.forEach((type, names) ->
            assertEquals(type, Slots.shown(program.type(type)).stream().filter(s -> !Origin.isJdks(s.field.getDeclaringClass()))
                .map(s -> s.name).toList(), names));
        assertEquals(List.of("java.lang.Throwable.detailMessage", "java.lang.Throwable.cause", "suppressedExceptions",
            "detailMessage", "cause"), Slots.shown(program.type("Wrong")).stream().map(s -> s.name).toList());
        assertEquals(List.of("n", "m", "Outer$Mid.m", "Outer$Mid.n", "t", "A.n", "A.m", "z"), found.get("A"));
        assertEquals(List.of("detailMessage", "cause"), found.get("Wrong"));
        assertEquals(List.of("ArrayList"), found.get("Mine"));
    }
}
