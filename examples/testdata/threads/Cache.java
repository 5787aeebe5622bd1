import harrier.*;
import java.util.*;
import java.util.concurrent.*;

/** A cache that is filled once, by a lock, after a look without one. Expected: verified. */
public class Cache extends Scenario {
    @Parameter boolean again = true;
    static class Node extends Actor {
        volatile String value; int made; final boolean again; final List<String> got = new ArrayList<>();
        Node(boolean again) { this.again = again; }
        @Override protected void start() { for (int i = 0; i < 3; i++) new Thread(() -> { try { got.add(get()); } catch (InterruptedException e) { made = -1; } }, "t" + i).start(); }
        String get() throws InterruptedException {
            String v = value;
            int late = 0; // which is only incremented
            if (v == null) {
                if (made > 0) late++;
                Thread.yield();
                synchronized (this) {
                    v = again ? value : null;
                    if (v == null) { Thread.sleep(10); value = v = "v" + ++made; }
                }
                late++;
            }
            return v;
        }
    }
    @Override protected void setUp() { create("a", new Node(again)); }
    @Invariant("made once") boolean once() { return actors(Node.class).allMatch(n -> n.made <= 1); }
    @Override protected boolean expectFinal() { return actors(Node.class).allMatch(n -> n.got.equals(List.of("v1", "v1", "v1"))); }
}
