import harrier.*;
import java.util.*;

/** Dining philosophers. Expected: violated. */
public class Philosophers extends Scenario {
    @Parameter int n = 3; @Parameter boolean ordered = false;
    static class Table extends Actor {
        final Object[] forks; int meals; final boolean ordered;
        Table(int n, boolean ordered) { forks = new Object[n]; for (int i = 0; i < n; i++) forks[i] = new Object(); this.ordered = ordered; }
        @Override protected void start() {
            for (int i = 0; i < forks.length; i++) { int me = i; new Thread(() -> eat(me), "p" + i).start(); }
        }
        void eat(int i) {
            int a = i, b = (i + 1) % forks.length;
            if (ordered && a > b) { int x = a; a = b; b = x; }
            synchronized (forks[a]) { Thread.yield(); synchronized (forks[b]) { meals++; } }
        }
    }
    @Override protected void setUp() { create("t", new Table(n, ordered)); }
    @Override protected boolean expectFinal() { return actors(Table.class).allMatch(t -> t.meals == t.forks.length); }
}
