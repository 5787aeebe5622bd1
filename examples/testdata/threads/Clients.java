import harrier.*;
import java.util.*;
import java.util.concurrent.*;

/** A server whose thread has names of clients in its variables while it waits. Expected: verified. */
public class Clients extends Scenario {
    record Ask(int n) {}
    record Ack() {}
    static class Server extends Actor {
        final BlockingQueue<ActorName> in = new LinkedBlockingQueue<>(); int served;
        @Override protected void start() { new Thread(this::serve, "server").start(); }
        void serve() {
            try {
                while (true) {
                    ActorName first = in.take();
                    ActorName second = in.poll(1, TimeUnit.SECONDS);
                    send(first, new Ack()); served++;
                    if (second != null) { send(second, new Ack()); served++; }
                }
            } catch (InterruptedException e) { served = -1; }
        }
        @Handler void on(Ask m, ActorName from) { in.add(from); }
    }
    static class Client extends Actor {
        final ActorName s; boolean acked;
        Client(ActorName s) { this.s = s; }
        @Override protected void start() { send(s, new Ask(1)); }
        @Handler void on(Ack m) { acked = true; }
    }
    @Parameter int clients = 3; @Parameter int crashes = 0; @Parameter boolean order = false;
    @Override protected void setUp() {
        if (order) timers().inOrder();
        var s = create("server", new Server());
        create("client", clients, i -> new Client(s));
        if (crashes > 0) faults().crashes(crashes, "server");
    }
    @Override protected boolean expectFinal() { return crashes > 0 || actors(Client.class).allMatch(c -> c.acked); }
}
