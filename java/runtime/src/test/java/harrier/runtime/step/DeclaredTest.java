package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.actor.Declared;
import harrier.runtime.actor.Fault;
import harrier.runtime.actor.Scope;
import harrier.runtime.failure.UsageException;
import harrier.runtime.wire.EventKind;
import java.util.List;
import org.junit.Test;

/** What a scenario says of the network, crashes, components, timers and clocks. */
public class DeclaredTest {
    private static final String OTHERS = "create(\"b\", 2, i -> new A()); ";

    private static Declared declared(String says) {
        return Played.scenario(OTHERS + says, "").program().declared();
    }

    private static void assertUsage(String says, String message) {
        assertEquals("S.setUp" + message, assertThrows(UsageException.class, () -> declared(says)).getMessage());
    }

    @Test
    public void nothingIsDeclaredWithoutAWord() {
        assertEquals(List.of(), declared("").faults());
        assertEquals(Scope.NOBODY, declared("").fifo());
    }

    @Test
    public void faultsHaveAScopeABudgetAndALabel() {
        assertEquals(List.of(
            new Fault(EventKind.RESTART, names("a"), 2, "crash and restart of a"),
            new Fault(EventKind.STOP, names("b1", "b2"), 1, "crash for good of b"),
            new Fault(EventKind.LOSE, names("b2"), 3, "loss of messages to b2"),
            new Fault(EventKind.DUPLICATE, names("a", "b1", "b2"), -1, "duplication of messages to b, a"),
            new Fault(EventKind.SPLIT, names("a", "b1"), 1, "split of a, b1 from the others")),
            declared("faults().crashes(2, \"a\").stops(1, \"b\"); network().lossy(3, \"b2\").duplicating(\"b\", \"a\")"
                + ".partition(1, \"a\", \"b1\");").faults());
    }

    @Test
    public void crashesHappenWithinHandlersIfThatIsSaid() {
        assertEquals(List.of(true, false, true), declared("faults().crashes(1).withinHandlers().crashes(1, \"a\").stops(1).withinHandlers();")
            .faults().stream().map(Fault::within).toList());
        assertEquals("crash for good of a, also within handlers",
            declared("faults().stops(1, \"a\").withinHandlers();").faults().get(0).label());
        for (String wrong : List.of("faults()", "faults().byzantine(1, \"a\")")) {
            assertUsage(wrong + ".withinHandlers();",
                ": withinHandlers() comes right after crashes or stops, as in faults().crashes(1).withinHandlers()");
        }
    }

    private static Scope names(String... names) {
        return new Scope(false, List.of(names));
    }

    @Test
    public void withoutNamesAllAreMeant() {
        assertEquals(List.of(new Scope(true, List.of()), names("a", "b1", "b2")),
            declared("network().lossy(); faults().crashes(1);").faults().stream().map(Fault::scope).toList());
        assertTrue(declared("network().fifo(\"a\").fifo();").fifo().has("a/child1"));
    }

    @Test
    public void crashesMayLeaveActorsDown() {
        assertEquals(List.of(new Fault(EventKind.CRASH, names("a"), Scope.ALL, true, false, true, 1, "crash and downtime of a", null),
            new Fault(EventKind.CRASH, names("b1", "b2"), Scope.ALL, true, true, false, 2,
                "crash and downtime of b, also within handlers", null)),
            declared("faults().crashes(1, \"a\").staysDown().losesMessages().crashes(2, \"b\").staysDown().withinHandlers();").faults());
        assertTrue(declared("fairness().recovers();").recovers());
    }

    @Test
    public void whatMayGetLostIsNarrowedToChannels() {
        Fault own = new Fault(EventKind.LOSE, names("a", "b1", "b2"), Scope.ALL, true, false, false, 2, "loss of messages to b, a, itself included", null);
        assertEquals(List.of(
            new Fault(EventKind.LOSE, names("b1", "b2"), names("a"), false, false, false, -1, "loss of messages from a to b", null),
            new Fault(EventKind.DUPLICATE, Scope.ALL, names("a", "b1", "b2"), true, false, false, 1, "duplication of messages from a, b to any actor",
                null), own),
            declared("network().lossy().from(\"a\").to(\"b\").duplicating(1).from(\"a\", \"b\").lossy(2).to(\"b\", \"a\").andToSelf();")
                .faults());
        assertEquals(names("b1"), declared("network().fifo().to(\"b1\");").fifo());
        assertEquals(List.of(new Fault(EventKind.LOSE, names("a", "b1", "b1/", "b2", "b2/"), names("a", "a/"), false, false, false, -1,
            "loss of messages from a, children of a to b, children of b, a", null)),
            declared("network().lossy().from(\"a\").andChildren().to(\"b\").andChildren().to(\"a\");").faults());
        assertTrue(declared("network().fifo(\"b\").andChildren();").fifo().has("b2/child1/child2"));
        assertUsage("network().lossy().andChildren();", ": andChildren() comes after names, as in"
            + " network().lossy().to(\"server\").andChildren(): without names all actors are meant");
        assertUsage("network().lossy().from(\"c\");", ": there is no actor or role \"c\": there are b, b1, b2, a");
        String late = ": from(a): name senders, after lossy, duplicating with a budget or partition(n)";
        assertUsage("network().fifo().from(\"a\");", late);
        assertUsage("network().duplicating().from(\"a\");", late);
        assertUsage("network().from(\"a\");", ": from comes right after what it narrows, as in network().lossy().from(\"client\")");
        assertUsage("network().partition(1, \"a\").to(\"b\");", ": to(b): name receivers, after fifo, connections, lossy, duplicating or partition(n)");
        assertUsage("network().fifo().andToSelf();",
            ": andToSelf() comes after lossy: only losses leave alone what an actor sends to itself");
    }

    @Test
    public void cutsMayBeOfOneWay() {
        assertEquals(List.of(
            new Fault(EventKind.SPLIT, names("b1", "b2"), names("a"), true, false, false, 1, "cut from a to b", null),
            new Fault(EventKind.SPLIT, Scope.ALL, names("a"), true, false, false, 1, "cut from a to any actor", null),
            new Fault(EventKind.SPLIT, names("a"), names("a", "a/", "b1", "b1/", "b2", "b2/"), true, false, false, 1,
                "cut from any actor to a", null)),
            declared("network().partition(1).from(\"a\").to(\"b\").partition(1).from(\"a\").partition(1).to(\"a\");").faults());
        assertUsage("network().partition(1);", ": partition(1): name the actors of one side, by role or name, or say from whom and to"
            + " whom messages are cut off, as in partition(1).from(\"client\").to(\"server\")");
    }

    @Test
    public void mailboxesDropWhatTheyDoNotHold() {
        assertEquals(List.of(new Fault(EventKind.LOSE, names("b1", "b2"), Scope.ALL, true, false, false, 4, -1,
            "drop of messages to full mailboxes of b", null)), declared("network().mailbox(4, \"b\");").faults());
        assertUsage("network().mailbox(0);", ": mailbox(0): a mailbox holds at least one message");
    }

    @Test
    public void fairnessIsOfChoicesAndChildrenIfThatIsSaid() {
        Declared all = declared("fairness().weak().byChoice().strong(\"a\").andChildren().unfair(\"b\").andChildren();");
        assertEquals(Scope.ALL, all.byChoice());
        assertEquals(names("a", "a/"), all.strong());
        assertEquals(names("b1", "b1/", "b2", "b2/"), all.unfair());
        assertEquals(names("a"), declared("fairness().strong(\"a\").byChoice();").byChoice());
        assertUsage("fairness().unfair(\"a\").byChoice();", ": byChoice() comes right after weak or strong, as in fairness().weak().byChoice()");
    }

    @Test
    public void declarationsOfOrderAddUp() {
        assertEquals(names("a", "b1"), declared("network().fifo(\"b1\").fifo(\"a\");").fifo());
    }

    @Test
    public void componentsAreApart() {
        assertEquals(List.of(List.of("a", "b2"), List.of("b1")), declared("components().together(\"b2\", \"a\").together(\"b1\");").components());
        assertUsage("components().together(\"a\", \"b1\").together(\"b\");", ": b1 is in two components: name each actor in one only");
        assertUsage("components().together(\"c\");", ": there is no actor or role \"c\": there are b, b1, b2, a");
        assertUsage("components().together();", ": together(): name the actors that are one component, by role or name");
    }

    @Test
    public void namesBeforeActorsAreThoseOfActorsCreatedLater() {
        Played peers = Played.scenario("var all = names(\"p\", 2); if (!all.equals(create(\"p\", 2, i -> new A()))) throw new Error();", "");
        assertEquals(List.of(), peers.program().declared().faults());
        declared("names(\"none\", 0);");
        assertUsage("names(\"p\", 2);", ": names(\"p\", 2) but no actors of this role: create them with create(\"p\", 2, …)");
        assertUsage("names(\"b\", 3);", ": names(\"b\", 3) but the actors of this role are b1, b2: create them with create(\"b\", 3, …)");
        assertUsage("names(\"c\", 1); create(\"c\", new A());",
            ": names(\"c\", 1) but the actors of this role are c: create them with create(\"c\", 1, …)");
    }

    @Test
    public void aBudgetOfNothingDeclaresNothing() {
        assertEquals(List.of(), declared("network().lossy(0).duplicating(0).partition(0, \"a\"); faults().crashes(0).stops(0);")
            .faults());
    }

    @Test
    public void whatCannotBeMeantIsToldWithThePlace() {
        assertUsage("network().lossy(\"c\");", ": there is no actor or role \"c\": there are b, b1, b2, a");
        assertUsage("network().lossy(0, \"c\");", ": there is no actor or role \"c\": there are b, b1, b2, a");
        assertUsage("network().partition(1, \"a\", \"b\");",
            ": partition(a, b) leaves nobody on the other side: name the actors of one side only");
        assertUsage("faults().crashes(-1);", ": crashes(-1): a budget says how often something may happen, so it"
            + " cannot be less than 0");
        assertUsage("network().lossy(-2);", ": lossy(-2): a budget says how often something may happen, so it"
            + " cannot be less than 0");
        assertUsage("timers().inOrder();", ": timers().inOrder() comes too late: say it before actors are created");
        assertUsage("clock().startsAt(Instant.EPOCH);", ": clock().startsAt(1970-01-01T00:00:00Z) comes too late: say it before actors are created");
    }

    @Test
    public void whoMayCrashHasALabelForStartingAgain() {
        String restart = "A.onRestart()";
        Played one = Played.scenario("faults().crashes(1);", "");
        assertEquals(List.of(restart), labels(one));
        Played none = Played.scenario("", "@Internal void act() {}");
        assertEquals(List.of("A.act()"), labels(none));
    }

    private static List<String> labels(Played played) {
        return played.program().handlers(played.program().actorClasses().get(0)).stream().map(h -> h.label()).toList();
    }
}
