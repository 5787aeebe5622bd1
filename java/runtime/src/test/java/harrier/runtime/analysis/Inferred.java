package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import harrier.Scenario;
import harrier.runtime.UserProgram;
import harrier.runtime.analysis.slice.FieldFact;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.wire.Verdict;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The facts inferred of a program that a test writes. */
final class Inferred {
    private final Map<String, FieldFact> facts = new TreeMap<>();
    final Decomposition decomposition;

    /** A text without a scenario gets one that creates an {@code A} by its constructor without parameters. */
    Inferred(String text) {
        this(text, new Decomposition.Settings(false, true, false, false, true, false, false));
    }

    private Inferred(String text, Decomposition.Settings settings) {
        ProgramClasses classes = UserProgram.compile(text.contains("extends Scenario") ? text
            : text + "\nclass S extends Scenario { protected void setUp() { create(\"a\", new A()); } }");
        decomposition = Decomposition.of(classes, classes.concreteSubclasses(Scenario.class).get(0), settings);
        decomposition.fields().forEach(f -> facts.put(f.type() + "." + f.field(), f));
    }

    /** One actor {@code A} with these members, its messages among them; it sends to {@code peer}. */
    static Inferred actor(String members) {
        return new Inferred("class A extends Actor {\n ActorName peer;\n" + members + "\n}");
    }

    /** The same, where timers fire in order. */
    static Inferred actorInOrder(String members) {
        return new Inferred("class A extends Actor {\n ActorName peer;\n" + members + "\n}",
            new Decomposition.Settings(false, true, true, false, true, false, false));
    }

    /** The same, where messages are relevant as a whole. */
    static Inferred actorOfWholeMessages(String members) {
        return new Inferred("class A extends Actor {\n ActorName peer;\n" + members + "\n}",
            new Decomposition.Settings(false, true, false, true, true, false, false));
    }

    /** The same in a program with threads, which are interleaved where they wait. */
    static Inferred threads(String members) {
        return new Inferred("import java.util.concurrent.*; import java.util.concurrent.atomic.*; class A extends Actor {\n ActorName peer;\n" + members + "\n}",
            new Decomposition.Settings(false, true, false, false, true, true, false));
    }

    /** The same, where they are interleaved at locks, too. */
    static Inferred threadsAtLocks(String members) {
        return new Inferred("import java.util.concurrent.*; import java.util.concurrent.atomic.*; class A extends Actor {\n ActorName peer;\n" + members + "\n}",
            new Decomposition.Settings(false, true, false, false, true, true, true));
    }

    FieldFact fact(String field) {
        assertNotNull(field + " is no field of " + facts.keySet(), facts.get(field));
        return facts.get(field);
    }

    Inferred auxiliary(String... fields) {
        for (String f : fields) {
            assertEquals(f + ": " + fact(f).reason(), Verdict.INFERRED, fact(f).verdict());
            assertEquals(List.of(), fact(f).reason());
        }
        return this;
    }

    Inferred relevant(String... fields) {
        for (String f : fields) {
            assertEquals(f, Verdict.RELEVANT, fact(f).verdict());
            assertTrue(f + " has a reason", !fact(f).reason().isEmpty());
        }
        return this;
    }

    /** Of the relevant fields, those that are so for properties only. */
    Inferred forProperties(String... fields) {
        assertEquals(List.of(fields), facts.keySet().stream().filter(f -> facts.get(f).forProperties()).toList());
        return this;
    }

    Inferred verdict(Verdict verdict, String field) {
        assertEquals(field + ": " + fact(field).reason(), verdict, fact(field).verdict());
        return this;
    }

    Inferred reason(String field, String... lines) {
        assertEquals(List.of(lines), fact(field).reason());
        return this;
    }
}
