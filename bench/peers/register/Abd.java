import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Parameter;
import harrier.Scenario;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A register on servers of which a majority answers: Attiya, Bar-Noy and Dolev, "Sharing Memory Robustly in Message-Passing
 * Systems" (J. ACM, 1995). Each client writes a value of its own at one server and then reads at the next one. A server that
 * carries out a request ignores other requests; who sent them waits for ever.
 *
 * <p>Expected: verified; violated with quorum=1.
 */
public final class Abd extends Scenario {
    @Parameter("how many clients write and then read")
    int clients = 2;

    @Parameter("how many servers there are")
    int servers = 3;

    @Parameter("how many servers have to know of an operation, 0 for a majority")
    int quorum = 0;

    @Parameter("whether operations have to be linearizable")
    boolean checked = true;

    @Override
    protected void setUp() {
        if (checked) {
            linearizable(Register.class);
        }
        network().fifo();
        int enough = quorum == 0 ? servers / 2 + 1 : quorum;
        List<ActorName> all = names("server", servers);
        create("server", servers, i -> new Server(i, all, enough));
        create("client", clients, i -> new Client(all.get(i % servers), all.get((i + 1) % servers), 2 * i + 1, i + 1));
    }

    record Write(int value) {}

    record Read() {}

    /** What operations are held to. */
    static final class Register {
        private int value;

        Object apply(Write write) {
            value = write.value();
            return null;
        }

        int apply(Read read) {
            return value;
        }
    }

    /** Versions of different servers differ. */
    record Version(int clock, int server) {}

    record Held(Version version, int value) {
        static final Comparator<Held> BY_VERSION =
                Comparator.<Held>comparingInt(h -> h.version.clock).thenComparingInt(h -> h.version.server);
    }

    record Put(int request, int value) {}

    record PutDone(int request) {}

    record Get(int request) {}

    record GetDone(int request, int value) {}

    record Query(int request) {}

    record Answer(int request, Held held) {}

    record Store(int request, Held held) {}

    record Stored(int request) {}

    static final class Client extends Actor {
        private final ActorName writesAt;
        private final ActorName readsAt;
        private final int value;

        /** The number of the request that it waits for, 0 if for none. Requests of different clients have different numbers. */
        private int request;

        Client(ActorName writesAt, ActorName readsAt, int request, int value) {
            this.writesAt = writesAt;
            this.readsAt = readsAt;
            this.request = request;
            this.value = value;
        }

        @Override
        protected void start() {
            invoked(new Write(value));
            send(writesAt, new Put(request, value));
        }

        @Handler
        void on(PutDone m) {
            if (m.request() == request) {
                returned(null);
                request++;
                invoked(new Read());
                send(readsAt, new Get(request));
            }
        }

        @Handler
        void on(GetDone m) {
            if (m.request() == request) {
                returned(m.value());
                request = 0;
            }
        }
    }

    /** A client's request, of which a server is in charge. */
    record Request(ActorName client, int number, Integer written) {}

    static final class Server extends Actor {
        private final int id;
        private final List<ActorName> servers;
        private final int quorum;
        private Held held;

        /** What it carries out, or null. */
        private Request current;

        /** Who answered the query, and what they hold. Empty once it is decided what to store. */
        private final Map<ActorName, Held> answers = new HashMap<>();

        /** Who stored what the operation stores. Empty before that is decided. */
        private final Set<ActorName> stored = new HashSet<>();

        /** What a read is to return, once that is decided. */
        private int result;

        Server(int id, List<ActorName> servers, int quorum) {
            this.id = id;
            this.servers = servers;
            this.quorum = quorum;
            held = new Held(new Version(0, id), 0);
        }

        @Handler
        void on(Put m, ActorName client) {
            begin(new Request(client, m.request(), m.value()));
        }

        @Handler
        void on(Get m, ActorName client) {
            begin(new Request(client, m.request(), null));
        }

        private void begin(Request request) {
            if (current != null) {
                return;
            }
            current = request;
            sendOthers(new Query(request.number()));
            answers.put(self(), held);
            storeIfEnough();
        }

        @Handler
        void on(Query m) {
            reply(new Answer(m.request(), held));
        }

        @Handler
        void on(Answer m, ActorName server) {
            if (isCurrent(m.request()) && stored.isEmpty()) {
                answers.put(server, m.held());
                storeIfEnough();
            }
        }

        private void storeIfEnough() {
            if (answers.size() < quorum) {
                return;
            }
            Held newest = Collections.max(answers.values(), Held.BY_VERSION);
            answers.clear();
            if (current.written() == null) {
                result = newest.value();
            } else {
                newest = new Held(new Version(newest.version().clock() + 1, id), current.written());
            }
            sendOthers(new Store(current.number(), newest));
            hold(newest);
            stored.add(self());
            returnIfEnough();
        }

        @Handler
        void on(Store m) {
            hold(m.held());
            reply(new Stored(m.request()));
        }

        private void hold(Held other) {
            if (Held.BY_VERSION.compare(other, held) > 0) {
                held = other;
            }
        }

        @Handler
        void on(Stored m, ActorName server) {
            if (isCurrent(m.request()) && !stored.isEmpty()) {
                stored.add(server);
                returnIfEnough();
            }
        }

        private void returnIfEnough() {
            if (stored.size() < quorum) {
                return;
            }
            int number = current.number();
            send(current.client(), current.written() == null ? new GetDone(number, result) : new PutDone(number));
            current = null;
            stored.clear();
            result = 0;
        }

        private boolean isCurrent(int request) {
            return current != null && current.number() == request;
        }

        private void sendOthers(Object message) {
            for (ActorName server : servers) {
                if (!server.equals(self())) {
                    send(server, message);
                }
            }
        }
    }
}
