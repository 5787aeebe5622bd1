import harrier.*;
import java.util.*;
import java.util.concurrent.*;

/** A server whose threads count what nobody asks for. Expected: verified. */
public class Fields extends Scenario {
    record Job(int n, String note) {}
    record Done(int n) {}
    static class Server extends Actor {
        final BlockingQueue<Integer> in = new LinkedBlockingQueue<>();
        final ActorName to; int seen, queued, kept, last; final List<String> notes = new ArrayList<>();
        Server(ActorName to) { this.to = to; for (int i = 0; i < 2; i++) new Thread(this::serve, "worker" + i).start(); }
        void serve() {
            try {
                while (true) { int n = in.take(); seen = seen * 3 + n; int k = kept; Thread.yield(); last = k; send(to, new Done(n)); }
            } catch (InterruptedException e) { return; }
        }
        @Handler void on(Job m) { queued = queued * 3 + m.n(); kept = 1; notes.add(m.note()); in.add(m.n()); }
    }
    static class Client extends Actor { int got; @Handler void on(Done m) { got += m.n(); } }
    @Override protected void setUp() {
        var c = create("client", new Client());
        var s = create("server", new Server(c));
        for (int i = 1; i <= 3; i++) send(s, new Job(i, "j" + i));
    }
    @Override protected boolean expectFinal() { return actors(Client.class).allMatch(c -> c.got == 6); }
}
