package harrier.runtime;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import harrier.runtime.Examples.Golden;
import harrier.runtime.NaiveExplorer.Counts;
import java.io.IOException;
import java.util.Map;
import org.junit.Test;

/** The golden counts, found again without codec, steps or search. */
public class NaiveExplorerTest {
    @Test
    public void countsPingPong() throws IOException {
        check("pingpong", "PingPong", Map.of());
    }

    @Test
    public void countsPingPongWithThreePlayersAndTwoRounds() throws IOException {
        check("pingpong", "PingPong", Map.of("players", 3, "rounds", 2));
    }

    @Test
    public void countsPaxosWithOneProposer() throws IOException {
        check("paxos", "paxos.Paxos", Map.of("proposers", 1));
    }

    @Test
    public void refutesTheRegistersWrongProperty() {
        for (int objects = 1; objects <= 2; objects++) {
            Counts counts = NaiveExplorer.explore(Examples.scenarios("register-wrong", "registerwrong.RegisterWrong",
                Map.of("objects", objects, "reads", 1)));
            assertEquals("violated", counts.verdict());
        }
    }

    @Test
    public void operationsThatFollowEachOtherAndThoseThatDoNotAreDifferentStates() {
        UserProgram program = new UserProgram("""
            class Client extends Actor {
                boolean busy;
                @Handler(when = "idle") void begin(String m) { busy = true; invoked("op"); }
                @Handler(when = "busy") void end(Integer m) { busy = false; returned(null); }
                boolean idle() { return !busy; }
                boolean busy() { return busy; }
            }
            class Two extends Scenario {
                protected void setUp() {
                    for (ActorName c : create("client", 2, i -> new Client())) { send(c, "begin"); send(c, 1); }
                }
                @Invariant boolean p() { return history().operations().size() < 3; }
            }""");

        // Each client has not begun, is busy, or is done; of two that are done, one may precede the other; and
        // so may one that is done precede one that is busy.
        assertEquals(new Counts("verified", 9 + 2 + 2, 14, 4, true),
            NaiveExplorer.explore(() -> program.scenario("Two")));
    }

    @Test
    public void findsADeadEndThatIsNotExpected() {
        UserProgram program = new UserProgram("""
            class Deaf extends Actor {
                @Handler(when = "never") void on(String m) {}
                boolean never() { return false; }
            }
            class Stuck extends Scenario {
                protected void setUp() { send(create("deaf", new Deaf()), "hello"); }
                protected boolean expectFinal() { return false; }
            }""");

        assertEquals(new Counts("violated", 1, 0, 0, true), NaiveExplorer.explore(() -> program.scenario("Stuck")));
    }

    @Test
    public void equalPendingMessagesAreOneTransition() {
        UserProgram program = new UserProgram("""
            class Counter extends Actor {
                int count;
                @Handler void on(String m) { count++; }
            }
            class Twice extends Scenario {
                protected void setUp() {
                    ActorName c = create("counter", new Counter());
                    send(c, "more");
                    send(c, "more");
                }
            }""");

        assertEquals(new Counts("verified", 3, 2, 2, true), NaiveExplorer.explore(() -> program.scenario("Twice")));
    }

    @Test
    public void anExplorationThatIsEndedEarlyIsInconclusive() {
        assertEquals(new Counts("inconclusive", 1, 0, 0, true),
            NaiveExplorer.explore(Examples.scenarios("pingpong", "PingPong", Map.of()), () -> false));
    }

    private static void check(String program, String type, Map<String, Integer> parameters) throws IOException {
        Counts counts = NaiveExplorer.explore(Examples.scenarios(program, type, parameters));

        Golden found = new Golden(counts.verdict(), counts.states(), counts.transitions(), counts.depth());
        assertEquals(Examples.golden(program, parameters, "bfs"), found);
        assertTrue("a depth-first search has the same depth", counts.isGraded());
        assertEquals(Examples.golden(program, parameters, "dfs"), found);
    }
}
