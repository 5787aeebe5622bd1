package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import harrier.runtime.analysis.slice.SenderFact;
import harrier.runtime.failure.RuleException;
import harrier.runtime.wire.Verdict;
import java.util.List;
import org.junit.Test;

/** Where senders of messages matter, and where they do not. */
public class SendersTest {
    private static final String MESSAGE = "record M(int v) {}\n";

    @Test
    public void whoAsksForNoSenderDoesNotDependOnIt() {
        assertEquals(Verdict.INFERRED, sender(MESSAGE + "int n; @Handler void on(M m) { if (++n > 3) send(peer, m); }").verdict());
    }

    @Test
    public void whatIsKeptForPeopleIsAuxiliary() {
        assertEquals(Verdict.INFERRED, sender(MESSAGE + """
            ActorName last; final Set<ActorName> heard = new HashSet<>();
            @Handler void on(M m, ActorName from) { last = from; heard.add(from); }""").verdict());
    }

    @Test
    public void aReplyGoesToTheSender() {
        SenderFact fact = sender(MESSAGE + "@Handler void on(M m) { help(m); }\nvoid help(M m) { reply(m); }");
        assertEquals(Verdict.RELEVANT, fact.verdict());
        assertEquals(List.of("the sender of M: decides to whom A.help(M) (Program.java:5) replies"), fact.reason());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + "@Handler void on(M m) { List.of(m).forEach(this::reply); }").verdict());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + "@Handler void on(M m) { Runnable r = () -> reply(m); r.run(); }").verdict());
    }

    @Test
    public void aReplyInAnotherHandlerIsNotThisOnes() {
        assertEquals(Verdict.INFERRED, sender(MESSAGE + "@Handler void on(M m) { } @Handler void on(String s) { reply(s); }").verdict());
    }

    @Test
    public void aFunctionThatIsKeptMayReplyToAnySender() {
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + """
            Runnable later = () -> { };
            @Handler void on(M m) { later.run(); }
            @Handler void on(String s) { later = () -> reply(s); }""").verdict());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + """
            Runnable later = () -> { };
            @Handler void on(M m) { later.run(); }
            @Handler void on(String s) { later = this::answer; }
            void answer() { reply("now"); }""").verdict());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + """
            class Later implements Runnable { public void run() { reply("now"); } }
            Runnable later = new Later();
            @Handler void on(M m) { later.run(); }""").verdict());
    }

    @Test
    public void whatDecidesWhatIsSentMatters() {
        assertEquals(List.of("the sender of M: taken by A.on(M, ActorName) (Program.java:4), which decides to whom M is sent"),
            sender(MESSAGE + "@Handler void on(M m, ActorName from) { send(from, m); }").reason());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + """
            final Set<ActorName> voters = new HashSet<>();
            @Handler void on(M m, ActorName from) { voters.add(from); if (voters.size() > 1) send(peer, m); }""").verdict());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + """
            boolean knows(M m, ActorName from) { return from.equals(peer); }
            @Handler(when = "knows") void on(M m) { }""").verdict());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + """
            @Handler void on(M m, ActorName from) { if (from.equals(peer)) throw new IllegalStateException(); }""").verdict());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + "@Handler void on(M m, ActorName from) { if (from == null) choose(2); }").verdict());
    }

    @Test
    public void handlersOfATypeTakeWhatExtendsIt() {
        assertEquals(Verdict.RELEVANT, sender("interface I {} record M(int v) implements I {}\n"
            + "@Handler void on(I m) { if (m instanceof M) reply(m); }").verdict());
        assertEquals(Verdict.RELEVANT, sender(MESSAGE + "@Handler void on(Object m) { reply(m); }\n"
            + "void other() { send(peer, new M(1)); } protected void start() { other(); }").verdict());
    }

    @Test
    public void aMarkIsConfirmedOrRefused() {
        assertEquals(Verdict.DECLARED, sender(MESSAGE + "ActorName last; @Handler void on(M m, @Auxiliary ActorName from) { last = from; }")
            .verdict());
        assertEquals(Verdict.BELIEVED, sender(MESSAGE
            + "final Set<ActorName> all = new HashSet<>();\n"
            + "@Handler void on(M m, @Auxiliary ActorName from) { all.add(from); new Random(all.hashCode()); }").verdict());
        Inferred program = Inferred.actor(MESSAGE + "@Handler void on(M m, @Auxiliary ActorName from) { send(from, m); }");
        assertEquals("the sender of A$M is declared @Auxiliary for A, but it matters: the sender of M: taken by A.on(M, ActorName)"
            + " (Program.java:4), which decides to whom M is sent: remove the annotation, or what uses the sender",
            assertThrows(RuleException.class, program.decomposition::refuseContradictions).getMessage());
    }

    private static SenderFact sender(String members) {
        return Inferred.actor(members).decomposition.senders().stream().filter(s -> s.message().equals("A$M")).findFirst().orElseThrow();
    }
}
