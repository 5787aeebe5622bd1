package harrier.runtime.step;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import harrier.runtime.failure.RuleException;
import java.util.List;
import org.junit.Test;

/** What an actor {@code a} does with several messages at once. They come from v1, v2, v3 and w1. */
public class QuorumsTest {
    private static final String VOTERS = """
        class Voter extends Actor {}
        class S extends Scenario { protected void setUp() {
            %s create("v", 3, i -> new Voter()); create("w", 1, i -> new Voter()); create("a", new A());
        } }
        """;

    private Played played;

    private void actor(String members) {
        scenario("", members);
    }

    private void scenario(String says, String members) {
        played = new Played(VOTERS.formatted(says) + "class A extends Actor {\n" + members + "\n}");
    }

    private Steps.Answer answer(String... messages) {
        return played.answer(messages);
    }

    private List<String> after(String... messages) {
        return answer(messages).outcomes().stream().map(o -> o.failure() != null ? o.failure().text()
            : played.fields(o.local())).toList();
    }

    private void assertRule(String message, String... messages) {
        assertEquals(message, assertThrows(RuleException.class, () -> answer(messages)).getMessage());
    }

    @Test
    public void middleOfAListMeansNothing() {
        String takesMiddle = "String s; @Handler(quorum = \"3\") void on(List<String> m) { s = m.get(1); }";
        actor(takesMiddle);
        assertThrows(Steps.DifferenceException.class, () -> answer("v1:x", "v2:y", "v3:z"));
        assertEquals(1, after("v1:x", "v2:x", "v3:x").size());
        scenario("network().fifo();", "String s; @Handler void on(List<String> m) { s = m.get(0) + m.get(1); }");
        assertEquals("the order of one sender stays", 1, after("v1:x", "v1:y", "v1:z").size());
        assertThrows(Steps.DifferenceException.class, () -> answer("v1:x", "v2:y", "v2:z", "v3:x"));
    }

    @Test
    public void anyNumberOfCopiesIsTakenWhereTheyEnd() {
        for (String says : List.of("network().duplicating(1);", "network().duplicating(\"v\");")) {
            scenario(says, "@Handler void on(List<String> m) {}");
            assertEquals(says, 1, after("v1:x").size());
        }
        scenario("network().duplicating();", "@Handler(quorum = \"2\") void on(List<String> m) {}");
        assertEquals(1, after("v1:x", "v2:x").size());
    }

    @Test
    public void allMessagesComeAtOnceWithTheirSenders() {
        actor("int n; Set<ActorName> from; String all; @Handler void on(Set<String> m, Set<ActorName> s) {"
            + " n = m.size(); from = s; all = String.join(\"\", new TreeSet<>(m)); }");

        assertEquals(List.of("A{n=2, from=[v1, v2], all=\"xy\"}"), after("v1:x", "v2:y"));
        assertEquals("equal ones are one element", List.of("A{n=1, from=[v1, v2], all=\"x\"}"), after("v1:x", "v2:x"));
        assertEquals("the scenario is nobody", List.of("A{n=1, from=[], all=\"x\"}"), after(":x"));
    }

    @Test
    public void aMapHasTheMessageOfEachSender() {
        actor("ActorName w; String x; int n; @Handler(quorum = \"2\", when = \"is\") void on(Map<ActorName, String> m) {"
            + " n = m.size(); m.forEach((from, s) -> { if (s.equals(\"x\")) w = from; }); x = m.get(w); }"
            + " boolean is(Map<ActorName, ? extends CharSequence> m) { return m.containsValue(\"x\"); }");
        assertEquals(List.of("A{w=v2, x=\"x\", n=2}"), after("v1:y", "v2:x"));
        assertEquals("equal ones are two", List.of(new Quorum("A.on(Map<ActorName, String>)", 2, "")), answer("v1:x").quorums());
        assertEquals("the scenario is null", List.of("A{w=null, x=\"x\", n=2}"), after("v1:y", ":x"));
        assertEquals("different senders", List.of(), after("v1:x", "v1:y"));
        assertEquals("the guard has them", List.of(), after("v1:y", "v2:y"));
    }

    @Test
    public void aListHasEqualMessagesTwice() {
        actor("int n; @Handler void on(List<String> m) { n = m.size(); }");
        assertEquals(List.of("A{n=2}"), after("v1:x", "v1:x"));
        actor("int n; @Handler void on(Collection<String> m) { n = m.size(); }");
        assertEquals(List.of("A{n=2}"), after("v1:x", "v2:x"));
    }

    @Test
    public void withoutASizeAnyNumberIsTakenAndTheGuardDecides() {
        actor("int n; @Handler(when = \"enough\") void on(List<String> m) { n = m.size(); }"
            + " boolean enough(Collection<String> m, Set<ActorName> from) { return m.size() > 1 && from.size() == 1; }");

        assertEquals(List.of(), after("v1:x"));
        assertEquals(List.of(new Quorum("A.on(List<String>)", Quorum.ANY, "")), answer("v1:x").quorums());
        assertEquals(List.of("A{n=2}"), after("v1:x", "v1:y"));
        assertEquals("only one message says what goes with it", List.of(), answer("v1:x", "v1:y").quorums());
        assertEquals(List.of(), after("v1:x", "v2:y"));
    }

    @Test
    public void aMajorityIsThatOfTheSendersRole() {
        actor("int n; @Handler(quorum = \"majority\") void on(List<String> m) { n = m.size(); }");

        assertEquals(List.of(new Quorum("A.on(List<String>)", 2, "v")), answer("v1:x").quorums());
        assertEquals(List.of(), after("v1:x"));
        assertEquals(List.of("A{n=2}"), after("v1:x", "v3:x"));
        assertEquals("no more than needed", List.of(), after("v1:x", "v2:x", "v3:x"));
        assertEquals("different senders", List.of(), after("v1:x", "v1:y"));
        assertEquals("one role", List.of(), after("v1:x", "w1:x"));
        assertEquals("alone in its role", List.of("A{n=1}"), after("w1:x"));
        assertEquals(List.of(), answer("w1:x").quorums());
        assertRule("a, A.on(List<String>): a majority of a role is needed, but v1/c1, which sends String, has none: only actors"
            + " that the scenario creates have; say in quorum how many messages are needed", "v1/c1:x");
    }

    @Test
    public void aNumberIsThatOfDifferentSenders() {
        actor("int n; @Handler(quorum = \"2\") void on(List<String> m) { n = m.size(); }");

        assertEquals(List.of(new Quorum("A.on(List<String>)", 2, "")), answer("v1:x").quorums());
        assertEquals(List.of("A{n=2}"), after("v1:x", "w1:x"));
        assertEquals(List.of(), after("v1:x", "v1:y"));
        assertEquals(List.of(), after("v1:x", "v2:y", "v3:y"));
    }

    @Test
    public void theActorMaySayHowMany() {
        String handler = "@Handler(quorum = \"needed\") void on(List<String> m) { n = m.size(); } int n; ";
        for (String needed : List.of("final int needed = 3;", "int needed() { return 3; } final int needed = 1;",
                "private int needed() { return 3; }")) {
            actor(handler + needed);
            assertEquals(needed, List.of(new Quorum("A.on(List<String>)", 3, "")), answer("v1:x").quorums());
            assertEquals(needed, List.of(), after("v1:x", "v2:x"));
            assertEquals(needed, 1, after("v1:x", "v2:x", "v3:x").size());
        }
        actor(handler + "int needed() { return 1; }");
        assertEquals(List.of("A{n=1}"), after("v1:x"));
        assertEquals(List.of(), answer("v1:x").quorums());
    }

    @Test
    public void aSizeThatFailsIsAFailureOfTheHandler() {
        actor("@Handler(quorum = \"needed\") void on(List<String> m) {} int needed() { return 1 / 0; }");
        assertEquals(List.of("ArithmeticException: / by zero"), after("v1:x"));
        assertEquals(List.of(), answer("v1:x").quorums());
    }

    @Test
    public void oneHandlerForOneMessageAndAnotherForSeveral() {
        actor("""
            @Handler(when = "yes") void one(String m) {}
            @Handler(quorum = "2", when = "yes") void two(Set<String> m) {}
            @Handler(quorum = "1", when = "yes") void alone(Set<String> m) {}
            boolean yes() { return true; }""");
        assertEquals(List.of("A.alone(Set<String>)", "A.one(String)"),
            answer("v1:x").outcomes().stream().map(Outcome::handler).toList());
        assertEquals(List.of(new Quorum("A.two(Set<String>)", 2, "")), answer("v1:x").quorums());
        assertEquals(List.of("A.two(Set<String>)"),
            answer("v1:x", "v2:x").outcomes().stream().map(Outcome::handler).toList());
    }

    @Test
    public void theMostSpecificHandlerTakesEachMessage() {
        actor("@Handler void any(Set<Object> m) {} @Handler void text(Set<String> m) {}");
        assertEquals(List.of("A.text(Set<String>)"),
            answer("v1:x", "v2:y").outcomes().stream().map(Outcome::handler).toList());
        assertEquals(List.of("A.text(Set<String>)"), answer("v1:x").quorums().stream().map(Quorum::handler).toList());
    }

    @Test
    public void theOrderOfMessagesMeansNothing() {
        actor("String first; @Handler void on(Set<String> m) { first = m.iterator().next(); }");
        assertThrows(Steps.DifferenceException.class, () -> answer("v1:x", "v2:y"));
        actor("ActorName first; @Handler void on(List<String> m, Set<ActorName> s) { first = s.iterator().next(); }");
        assertThrows(Steps.DifferenceException.class, () -> answer("v1:x", "v2:x"));
        actor("ActorName first; @Handler(quorum = \"2\") void on(Map<ActorName, String> m) { first = m.keySet().iterator().next(); }");
        assertThrows(Steps.DifferenceException.class, () -> answer("v1:x", "v2:x"));
        actor("@Handler(when = \"is\") void on(List<String> m) {} boolean is(List<String> m) { return m.get(0).equals(\"x\"); }");
        assertRule("the guard of A.on(List<String>) answers both ways for the same state and messages of a: it must not"
            + " depend on iteration order, time or chance", "v1:x", "v2:y");
    }

    @Test
    public void channelsThatKeepTheOrderShowItForEachSender() {
        String handler = "String all; @Handler void on(List<String> m) { all = m.indexOf(\"x\") < m.indexOf(\"y\") ? \"xy\" : \"yx\"; }";
        scenario("network().fifo();", handler);
        assertEquals(List.of("A{all=\"xy\"}"), after("v1:x", "v1:y", "v2:z"));
        assertThrows("among senders", Steps.DifferenceException.class, () -> answer("v1:x", "v2:y"));
        actor(handler);
        assertThrows("no such channel", Steps.DifferenceException.class, () -> answer("v1:x", "v1:y", "v2:z"));
    }

    @Test
    public void replyNeedsOneSender() {
        actor("@Handler void on(List<String> m) { try { reply(\"r\"); } catch (Throwable e) { } }");
        assertEquals("v1", answer("v1:x", "v1:y").outcomes().get(0).sends().get(0).receiver());
        assertRule("a: A.on(List<String>) calls reply, but its messages have 2 senders: take a Set<ActorName> after the"
            + " messages, or a map from them to the messages, and send to these", "v1:x", "v2:x");
    }

    @Test
    public void eachMessageNeedsAHandler() {
        actor("@Handler void on(Set<Integer> m) {}");
        assertRule("a has no handler for String, which v2 sends: add \"@Handler void on(String m)\" to A", "v2:x");
    }

    @Test
    public void aTimerIsNoPartOfAQuorum() {
        Played a = Played.actor("protected void start() { setTimer(\"t\", Duration.ZERO); } @Handler void on(Set<String> t) {}");
        assertEquals("a has no handler for the timer String that it sets: add \"@Handler void on(String t)\" to A",
            assertThrows(RuleException.class, a::internal).getMessage());
    }
}
