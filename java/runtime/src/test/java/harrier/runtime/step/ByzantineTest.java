package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.Restored;
import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Fault;
import harrier.runtime.actor.Role;
import harrier.runtime.actor.Scope;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.refusal.Loading;
import harrier.runtime.rules.allow.Rules;
import harrier.runtime.wire.EventKind;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;

/** Actors that the scenario declares Byzantine. */
public class ByzantineTest {
    /** Generals g1 to g3 greet each other and the clerk, who takes no orders. */
    private static final String PROGRAM = """
        record Order(int n) {}
        class General extends Actor {
            final ActorName clerk;
            General(ActorName clerk) { this.clerk = clerk; }
            protected void start() {
                invoked("war");
                send(clerk, "hello");
                create("aide", new Clerk());
            }
            @Handler void on(Order o) {}
            @Handler void on(String s) {}
        }
        class Clerk extends Actor { @Handler void on(String s) {} }
        class S extends Scenario {
            protected void setUp() {
                %s
                ActorName clerk = create("clerk", new Clerk());
                create("none", 0, i -> new Clerk());
                for (ActorName g : create("g", 3, i -> new General(clerk))) { send(g, new Order(1)); }
            }
            @Invariant boolean calm() { return history().completed().isEmpty(); }
        }""";

    @Rule
    public final Restored restored = new Restored();

    private static LoadedProgram load(String says, Options options) {
        return Loading.load(UserProgram.compile(PROGRAM.formatted(says)), "Program.java", "S", Map.of(), options);
    }

    private static LoadedProgram load(String says) {
        return load(says, Options.STANDARD);
    }

    private static List<String> actors(LoadedProgram program) {
        return program.initial().creates().stream().map(ActorState::name).toList();
    }

    private static List<String> channels(List<Envelope> messages) {
        return messages.stream().map(e -> e.sender() + ">" + e.receiver()).toList();
    }

    private static void assertUsage(String says, String message) {
        assertEquals("S.setUp: " + message, assertThrows(UsageException.class, () -> load(says)).getMessage());
    }

    @Test
    public void adversariesAndWhatTheyDidAreNoPartOfTheStart() {
        LoadedProgram program = load("faults().byzantine(2, \"g2\", \"g3\");");

        assertEquals(List.of("clerk", "g1/aide1", "g1"), actors(program));
        assertEquals(List.of("g1>clerk", ">g1"), channels(program.initial().sends()));
        assertEquals(List.of("g1"), program.initial().records().stream().map(OperationRecord::actor).toList());
        Fault fault = program.declared().faults().get(0);
        assertEquals(new Fault(EventKind.BYZANTINE, new Scope(false, List.of("g2", "g3")), 2, "Byzantine sends of g2, g3"), fault);
        assertNull("what they send is found later", fault.domain());
    }

    @Test
    public void rolesHaveAllTheirActors() {
        assertEquals(List.of(new Role("clerk", List.of("clerk")), new Role("g", List.of("g1", "g2", "g3"))),
            load("faults().byzantine(1, \"g1\");").declared().roles());
    }

    @Test
    public void declaredMessagesGoToAllWhoHandleThem() {
        LoadedProgram program = load("""
            List<Object> lies = new ArrayList<>(List.of(new Order(7), "yes", new Order(7)));
            faults().byzantine(1, lies, "g3", "g2");
            lies.add(new Order(8));""");

        List<Envelope> domain = program.declared().faults().get(0).domain();
        assertEquals(List.of("g2>g1", "g2>clerk", "g2>g1/aide1", "g2>g1", "g3>g1", "g3>clerk", "g3>g1/aide1", "g3>g1"),
            channels(domain));
        Codec codec = new Codec(program.loader(), program.loader()::defined);
        assertEquals("Order[n=7]", codec.decode(domain.get(0).payload()).toString());
        assertEquals("yes", codec.decode(domain.get(1).payload()));
    }

    @Test
    public void severalDeclarationsMakeAdversariesOfAllTheyName() {
        LoadedProgram program = load("faults().byzantine(1, List.of(new Order(0)), \"g1\")"
            + ".byzantine(2, List.of(new Order(0)), \"g2\").byzantine(0, List.of(), \"g3\");");

        assertEquals(List.of("clerk", "g3/aide1", "g3"), actors(program));
        assertEquals(List.of(List.of("g1>g3"), List.of("g2>g3")),
            program.declared().faults().stream().map(f -> channels(f.domain())).toList());
    }

    @Test
    public void anHonestProgramHasNoAdversaries() {
        LoadedProgram program = load("faults().byzantine(2, \"g\").crashes(1);",
            new Options(Recheck.ALL, false, Rules.STRICT, true, List.of(), List.of(), false, false));

        assertEquals(7, program.initial().creates().size());
        assertEquals(List.of(EventKind.RESTART), program.declared().faults().stream().map(Fault::kind).toList());
        assertEquals(7, program.again().initial().creates().size());
    }

    @Test
    public void allWorkersHaveTheSameAdversaries() {
        LoadedProgram program = load("faults().byzantine(1, List.of(new Order(0)), \"g1\");");
        assertTrue(program.again().declared().sameAs(program.declared()));
        LoadedProgram other = load("faults().byzantine(1, List.of(new Order(1)), \"g1\");");
        assertTrue("other messages", !other.declared().sameAs(program.declared()));
    }

    @Test
    public void wrongDeclarationsAreToldWithThePlace() {
        assertUsage("faults().byzantine(0);", "byzantine(0): name the actors that are, by role or name");
        assertUsage("faults().byzantine(-1, \"g1\");", "byzantine(-1): a budget says how often something may happen, so it"
            + " cannot be less than 0");
        assertUsage("faults().byzantine(0, \"h\");", "there is no actor or role \"h\": there are clerk, g, g1, g2, g3");
        assertUsage("faults().byzantine(1, List.of(new Order(1)), \"g\");", "byzantine(..) declares a message Order, but no"
            + " other actor has a handler for it: add \"@Handler void on(Order m)\" to the class of one, or leave the message"
            + " out");
    }

    @Test
    public void aDeclaredMessageMustBeOne() {
        assertEquals("S.setUp: a message that Byzantine actors may send: the value is a java.lang.Thread, which cannot be"
            + " captured: keep it out of the actor's state",
            assertThrows(RuleException.class, () -> load("faults().byzantine(1, List.of(new Thread()), \"g1\");"))
                .getMessage());
    }
}
