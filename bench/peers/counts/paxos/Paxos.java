import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Paxos (Lamport, "The Part-Time Parliament", TOCS, 1998) for one value, which clients write and read at servers, each of which proposes
 * and accepts. A server proposes the first value that it is given. It keeps a request to read until it knows what was decided, and
 * leaves all messages that would change nothing.
 *
 * <p>Expected: verified.
 */
public final class Paxos extends Scenario {
    record Ballot(int round, int server) {
        static final Comparator<Ballot> ORDER = Comparator.comparingInt(Ballot::round).thenComparingInt(Ballot::server);

        boolean before(Ballot other) {
            return ORDER.compare(this, other) < 0;
        }
    }

    record Proposal(int request, ActorName client, char value) {}

    /** A proposal that was accepted; the ballot and the proposal are null if there was none. */
    record Vote(Ballot ballot, Proposal proposal) {}

    record Prepare(Ballot ballot) {}

    record Prepared(Ballot ballot, Vote last) {}

    record Accept(Ballot ballot, Proposal proposal) {}

    record Accepted(Ballot ballot) {}

    record Decided(Ballot ballot, Proposal proposal) {}

    static final class Server extends Actor {
        private final List<ActorName> servers;
        private final int id;
        private Ballot ballot = new Ballot(0, 0);
        private Proposal proposal;
        private final Map<ActorName, Vote> prepared = new HashMap<>();
        private final Set<ActorName> acceptedBy = new HashSet<>();
        private Vote last = new Vote(null, null);
        private boolean decided;

        Server(List<ActorName> servers, int id) {
            this.servers = servers;
            this.id = id;
        }

        private void sendOthers(Object message) {
            for (ActorName server : servers) {
                if (!server.equals(self())) {
                    send(server, message);
                }
            }
        }

        private boolean isMajority(int count) {
            return count == servers.size() / 2 + 1;
        }

        boolean accepts(Client.Put m) {
            return !decided && proposal == null;
        }

        boolean accepts(Client.Get m) {
            return decided;
        }

        boolean accepts(Prepare m) {
            return !decided && ballot.before(m.ballot());
        }

        boolean accepts(Prepared m) {
            return !decided && m.ballot().equals(ballot);
        }

        boolean accepts(Accept m) {
            return !decided && !m.ballot().before(ballot);
        }

        boolean accepts(Accepted m) {
            return !decided && m.ballot().equals(ballot);
        }

        boolean accepts(Decided m) {
            return !decided;
        }

        @Handler(when = "accepts")
        void on(Client.Put m, ActorName client) {
            proposal = new Proposal(m.request(), client, m.value());
            ballot = new Ballot(ballot.round() + 1, id);
            prepared.put(self(), last);
            sendOthers(new Prepare(ballot));
        }

        @Handler(when = "accepts")
        void on(Client.Get m) {
            reply(new Client.GetOk(m.request(), last.proposal().value()));
        }

        @Handler(when = "accepts")
        void on(Prepare m) {
            ballot = m.ballot();
            reply(new Prepared(ballot, last));
        }

        @Handler(when = "accepts")
        void on(Prepared m, ActorName server) {
            prepared.put(server, m.last());
            if (!isMajority(prepared.size())) {
                return;
            }
            Vote newest = new Vote(null, null);
            for (Vote v : new ArrayList<>(prepared.values())) {
                if (v.ballot() != null && (newest.ballot() == null || newest.ballot().before(v.ballot()))) {
                    newest = v;
                }
            }
            if (newest.ballot() != null) {
                proposal = newest.proposal();
            }
            last = new Vote(ballot, proposal);
            acceptedBy.add(self());
            sendOthers(new Accept(ballot, proposal));
        }

        @Handler(when = "accepts")
        void on(Accept m) {
            ballot = m.ballot();
            last = new Vote(ballot, m.proposal());
            reply(new Accepted(ballot));
        }

        @Handler(when = "accepts")
        void on(Accepted m, ActorName server) {
            acceptedBy.add(server);
            if (isMajority(acceptedBy.size())) {
                decided = true;
                sendOthers(new Decided(ballot, proposal));
                send(proposal.client(), new Client.PutOk(proposal.request()));
            }
        }

        @Handler(when = "accepts")
        void on(Decided m) {
            ballot = m.ballot();
            last = new Vote(ballot, m.proposal());
            decided = true;
        }
    }

    @Parameter("how many clients write and then read")
    int clients = 2;

    @Parameter("how many servers there are")
    int servers = 3;

    @Parameter("whether operations have to be linearizable")
    boolean checked = true;

    @Override
    protected void setUp() {
        if (checked) {
            linearizable(Client.Register.class);
        }
        List<ActorName> all = names("server", servers);
        create("server", servers, i -> new Server(all, i));
        create("client", clients, i -> new Client(all, servers + i));
    }
}
