package harrier.runtime.actor;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import harrier.runtime.UserProgram;
import harrier.runtime.failure.UsageException;
import org.junit.Test;

/** Wrong declarations of quorum handlers are told in one line. */
public class QuorumDeclarationsTest {
    private static void assertUsage(String members, String message) {
        UserProgram program = new UserProgram("class A<T> extends Actor { " + members + " }");
        assertEquals(message, assertThrows(UsageException.class, () -> ActorClass.of(program.type("A"))).getMessage());
    }

    private static void assertFine(String members) {
        ActorClass.of(new UserProgram("class A<T> extends Actor { " + members + " }").type("A"));
    }

    @Test
    public void messagesAreOfAClass() {
        String mend = " cannot be a quorum handler: it must say of which class its messages are, as in ";
        assertUsage("@Handler void on(List<?> m) {}", "A.on(List)" + mend + "List<Vote>");
        assertUsage("@Handler void on(List<? extends Integer> m) {}", "A.on(List)" + mend + "List<Vote>");
        assertUsage("@Handler void on(Collection<T> m) {}", "A.on(Collection)" + mend + "Collection<Vote>");
        assertUsage("@Handler void on(Set<A> m) {}", "A.on(Set<A>) cannot be a handler: A cannot be a message");
        assertFine("@Handler void on(Set<List<Integer>> m) {} @Handler void on(List<int[]> m) {}");
    }

    @Test
    public void sendersComeAsASetOfNames() {
        String mend = " cannot be a quorum handler: it must take messages, and may take their senders (a Set<ActorName>)"
            + " after them";
        assertUsage("@Handler void on(Set<String> m, Set<String> s) {}", "A.on(Set<String>, Set<String>)" + mend);
        assertUsage("@Handler void on(Set<String> m, Set<ActorName> s, int n) {}",
            "A.on(Set<String>, Set<ActorName>, int)" + mend);
        assertFine("@Handler void on(Set<String> m, Set<ActorName> s) {}");
    }

    @Test
    public void aMapIsFromSendersAndHasASize() {
        assertUsage("@Handler void on(Map<ActorName, String> m) {}", "A.on(Map<ActorName, String>) needs a quorum, such as"
            + " quorum = \"majority\": a map has one message of each sender, and without quorum there may be several; else take"
            + " a List<String>");
        assertUsage("@Handler(quorum = \"2\") void on(Map<ActorName, ?> m) {}", "A.on(Map) cannot be a quorum handler: it must say"
            + " of which class its messages are, as in Map<ActorName, Vote>");
        assertUsage("@Handler(quorum = \"2\") void on(Map<ActorName, String> m, Set<ActorName> s) {}", "A.on(Map<ActorName, String>,"
            + " Set<ActorName>) cannot be a quorum handler: a map has the senders, so take nothing after it");
        assertUsage("@Handler(quorum = \"2\") void on(Map<ActorName, A> m) {}",
            "A.on(Map<ActorName, A>) cannot be a handler: A cannot be a message");
        assertFine("@Handler void on(Map<String, ActorName> m) {}");
    }

    @Test
    public void aHandlerTakesOneMessageOrAQuorum() {
        assertUsage("@Handler(quorum = \"2\") void on(Map<String, String> m) {}", "A.on(Map) takes one message, so it cannot"
            + " have quorum = \"2\": take a Set<Map>, List<Map>, Collection<Map> or Map<ActorName, Map>, or leave quorum out");
        assertUsage("@Handler(quorum = \"2\") void on(int m) {}", "A.on(int) cannot be a handler: int cannot be a message");
        assertUsage("@Handler void one(String m) {} @Handler(quorum = \"2\") void two(Set<String> m) {}",
            "A has two handlers for String, A.one(String) and A.two(Set<String>): keep one, or give both a guard");
    }

    @Test
    public void aSizeIsKnown() {
        String is = ": quorum is \"majority\", a number of at least 1, or the name of an int field or a method int ";
        for (String wrong : new String[] {"0", "-1", "2x", "all of them", "99999999999"}) {
            assertUsage("@Handler(quorum = \"" + wrong + "\") void on(Set<String> m) {}",
                "A.on(Set<String>) has no size " + wrong + is + "size() of A");
        }
        for (String no : new String[] {"", "static int needed;", "int needed(int n) { return n; }",
            "static int needed() { return 2; }", "Integer needed() { return 2; }"}) {
            assertUsage("@Handler(quorum = \"needed\") void on(Set<String> m) {} " + no,
                "A.on(Set<String>) has no size needed" + is + "needed() of A");
        }
    }

    @Test
    public void aGuardTakesWhatTheHandlerTakes() {
        String mend = "A.on(Set<String>) has no guard is: A needs a method boolean is(), (Set<String>) or (Set<String>,"
            + " Set<ActorName>)";
        String handler = "@Handler(when = \"is\") void on(Set<String> m) {} ";
        for (String no : new String[] {"String m", "List<String> m", "Set<Integer> m", "Set<String> m, ActorName s",
            "Set<String> m, Set<String> s", "Set<? extends Integer> m"}) {
            assertUsage(handler + "boolean is(" + no + ") { return true; }", mend);
        }
        for (String yes : new String[] {"", "Set<String> m", "Collection<String> m, Set<ActorName> s", "Object m",
            "Iterable<?> m", "Set<? extends CharSequence> m", "Set m"}) {
            assertFine(handler + "boolean is(" + yes + ") { return true; }");
        }
        String ofMap = "@Handler(when = \"is\", quorum = \"2\") void on(Map<ActorName, String> m) {} ";
        for (String no : new String[] {"Map<String, String> m", "Map<ActorName, Integer> m", "Map<ActorName, String> m, Set<ActorName> s",
            "Set<String> m"}) {
            assertUsage(ofMap + "boolean is(" + no + ") { return true; }", "A.on(Map<ActorName, String>) has no guard is: A needs a"
                + " method boolean is(), (Map<ActorName, String>)");
        }
        for (String yes : new String[] {"", "Map<ActorName, String> m", "Map<ActorName, ?> m", "Object m", "Map m"}) {
            assertFine(ofMap + "boolean is(" + yes + ") { return true; }");
        }
    }
}
