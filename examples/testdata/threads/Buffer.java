import harrier.*;
import java.util.*;

/** Bounded buffer with one notify and two kinds of waiters. Expected: violated. */
public class Buffer extends Scenario {
    @Parameter int producers = 2, consumers = 2, each = 1;
    @Parameter boolean all = false;
    static class Buf {
        int n;
        final boolean all;
        Buf(boolean all) { this.all = all; }
        synchronized void put() throws InterruptedException { while (n == 1) wait(); n++; wake(); }
        synchronized void get() throws InterruptedException { while (n == 0) wait(); n--; wake(); }
        void wake() { if (all) notifyAll(); else notify(); }
    }
    static class Node extends Actor {
        final Buf buf;
        final int producers, consumers, each; int done;
        Node(int p, int c, int e, boolean all) { buf = new Buf(all); producers = p; consumers = c; each = e; }
        @Override protected void start() {
            for (int i = 0; i < producers; i++) new Thread(() -> work(true), "p" + i).start();
            for (int i = 0; i < consumers; i++) new Thread(() -> work(false), "c" + i).start();
        }
        void work(boolean puts) {
            int before = done; // which nothing reads once the thread waits
            if (before < 0) return;
            try {
                for (int k = 0; k < each; k++) { if (puts) buf.put(); else buf.get(); }
                done++;
            } catch (InterruptedException e) {
                done = -1;
            }
        }
    }
    @Override protected void setUp() { create("a", new Node(producers, consumers, each, all)); }
    @Override protected boolean expectFinal() { return actors(Node.class).allMatch(n -> n.done == n.producers + n.consumers); }
}
