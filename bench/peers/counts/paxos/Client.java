import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.List;

/** Writes a value at one server, and when that is done reads at the next one. */
final class Client extends Actor {
    record Put(int request, char value) {}

    record PutOk(int request) {}

    record Get(int request) {}

    record GetOk(int request, char value) {}

    record Write(char value) {}

    record Read() {}

    /** What operations are held to. */
    static final class Register {
        private char value;

        Object apply(Write write) {
            value = write.value();
            return null;
        }

        char apply(Read read) {
            return value;
        }
    }

    private final List<ActorName> servers;
    private final int index; // among all actors, servers first
    private int awaited; // the number of a request; 0 for none
    private int operations = 1;

    Client(List<ActorName> servers, int index) {
        this.servers = servers;
        this.index = index;
        awaited = index;
    }

    @Override
    protected void start() {
        char value = (char) ('A' + index - servers.size());
        invoked(new Write(value));
        send(servers.get(index % servers.size()), new Put(awaited, value));
    }

    boolean awaits(PutOk m) {
        return m.request() == awaited;
    }

    boolean awaits(GetOk m) {
        return m.request() == awaited;
    }

    @Handler(when = "awaits")
    void on(PutOk m) {
        returned(null);
        awaited = (operations + 1) * index;
        invoked(new Read());
        send(servers.get((index + operations) % servers.size()), new Get(awaited));
        operations++;
    }

    @Handler(when = "awaits")
    void on(GetOk m) {
        returned(m.value());
        awaited = 0;
        operations++;
    }
}
