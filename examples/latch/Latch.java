package latch;

import harrier.Actor;
import harrier.ActorName;
import harrier.Disconnected;
import harrier.Handler;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients elect a leader by a service with sessions, such as ZooKeeper. A session outlives its connection for a while: a client that
 * connects again in time goes on with it. If not, it expires, and the client's node is gone, so that the next one leads. A client that
 * hears nothing for a time-out, or whose connection closes, is suspended: it does not lead until it is connected again.
 *
 * <p>Expected: verified; violated with {@code --set suspends=false}, as a client then leads on until it is told that its session has
 * expired, with {@code --set expires=2}, as it then may be told too late that it is suspended, and with {@code --set crashes=1,trusts=true}, as a client
 * that starts again then trusts its node of an old session.
 */
public final class Latch extends Scenario {
    record Connect(int session) {}

    record Connected(int session, boolean leads) {}

    record Ping(int session) {}

    record Pong() {}

    record Enter(int session) {}

    record Leads(int session) {}

    record Beat() {}

    record Silence() {}

    record Expiry(int session) {}

    /** A node of a client, which is there as long as its session. */
    record Node(int session, ActorName client) {}

    static final class Server extends Actor {
        private final Duration expires;
        private final List<Integer> sessions = new ArrayList<>();
        private final List<Node> nodes = new ArrayList<>();
        private int last;

        Server(Duration expires) {
            this.expires = expires;
        }

        private void hear(int session) {
            setTimer(new Expiry(session), expires);
        }

        private boolean leads(int session) {
            return !nodes.isEmpty() && nodes.get(0).session() == session;
        }

        @Handler
        void on(Connect m) {
            int session = m.session();
            if (!sessions.contains(session)) {
                session = ++last;
                sessions.add(session);
            }
            hear(session);
            reply(new Connected(session, leads(session)));
        }

        @Handler
        void on(Ping m) {
            if (sessions.contains(m.session())) {
                hear(m.session());
                reply(new Pong());
            }
        }

        @Handler
        void on(Enter m, ActorName from) {
            if (sessions.contains(m.session())) {
                nodes.add(new Node(m.session(), from));
                tell();
            }
        }

        @Handler
        void on(Expiry timer) {
            sessions.remove((Integer) timer.session());
            if (nodes.removeIf(n -> n.session() == timer.session())) {
                tell();
            }
        }

        private void tell() {
            if (!nodes.isEmpty()) {
                send(nodes.get(0).client(), new Leads(nodes.get(0).session()));
            }
        }
    }

    static final class Client extends Actor {
        private final ActorName server;
        private final Duration silence;
        private final boolean suspends;
        private final boolean trusts;
        private int session;
        private boolean connecting;
        private boolean connected;
        private boolean leads;

        Client(ActorName server, Duration silence, boolean suspends, boolean trusts) {
            this.server = server;
            this.silence = silence;
            this.suspends = suspends;
            this.trusts = trusts;
        }

        @Override
        protected void start() {
            on(new Beat());
        }

        @Handler
        void on(Beat timer) {
            if (connected) {
                send(server, new Ping(session));
            } else if (!connecting) {
                send(server, new Connect(session));
                connecting = true;
            }
            setTimer(new Beat(), Duration.ofSeconds(1));
        }

        @Handler
        void on(Connected m) {
            connected = true;
            setTimer(new Silence(), silence);
            leads = m.leads();
            if (m.session() != session) {
                session = m.session();
                send(server, new Enter(session));
            }
        }

        @Handler
        void on(Pong m) {
            setTimer(new Silence(), silence);
        }

        @Handler
        void on(Leads m) {
            leads = connected && (trusts || m.session() == session);
        }

        @Handler
        void on(Silence timer) {
            disconnect(server);
            suspend();
        }

        @Handler
        void on(Disconnected d) {
            cancelTimer(new Silence());
            suspend();
        }

        private void suspend() {
            connecting = false;
            connected = false;
            leads = leads && !suspends;
        }
    }

    @Parameter("how many clients")
    int clients = 2;

    @Parameter("after how many seconds without a word the session of a client expires")
    int expires = 3;

    @Parameter("whether a client that is not connected does not lead")
    boolean suspends = true;

    @Parameter("whether a node counts that the client has made in an old session")
    boolean trusts = false;

    @Parameter("how often the first client crashes")
    int crashes = 0;

    @Parameter("how often the first client is cut off")
    int splits = 1;

    @Parameter("how long all this goes on, in seconds")
    int seconds = 3;

    @Override
    protected void setUp() {
        clocks().tick(Duration.ofSeconds(1)).until(Duration.ofSeconds(seconds));
        network().connections().delay(Duration.ZERO).partition(splits, "client1");
        faults().crashes(crashes, "client1");
        ActorName server = create("server", new Server(Duration.ofSeconds(expires)));
        create("client", clients, i -> new Client(server, Duration.ofSeconds(2), suspends, trusts));
    }

    @Invariant("one client leads at most")
    boolean one() {
        return actors(Client.class).filter(c -> c.leads).count() <= 1;
    }
}
