package harrier.runtime.analysis.footprint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Solves which objects values may be: inclusion constraints after Andersen, "Program Analysis and Specialization for
 * the C Programming Language" (1994), chapter 4. Objects are numbered; nodes stand for sets of them.
 */
final class PointsTo {
    /** How many words of sets are passed on at most: a few seconds of work. */
    private static final long MOST = 1L << 24;

    private final List<BitSet> sets = new ArrayList<>();
    /** Of each node, the objects that its users were not told of; null if there are none. */
    private final List<BitSet> fresh = new ArrayList<>();
    private final List<List<Consumer<BitSet>>> users = new ArrayList<>();
    private final Deque<Integer> work = new ArrayDeque<>();
    private final Map<Object, Integer> nodes = new HashMap<>();
    private final Set<Long> copied = new HashSet<>();
    private final long most;
    private long told;
    private final List<Integer> insides = new ArrayList<>();
    private final List<Integer> originals = new ArrayList<>();
    /** The objects that show what their originals hold. */
    private final BitSet views = new BitSet();

    PointsTo() {
        this(MOST);
    }

    /** A solver that gives up after it passed on more than {@code most} words of sets. */
    PointsTo(long most) {
        this.most = most;
    }

    /** A further object. */
    int object() {
        insides.add(node());
        originals.add(node());
        return insides.size() - 1;
    }

    int node() {
        sets.add(new BitSet());
        fresh.add(null);
        users.add(new ArrayList<>());
        return sets.size() - 1;
    }

    /** The node that stands for something. */
    int node(Object key) {
        Integer known = nodes.get(key);
        if (known == null) {
            known = node();
            nodes.put(key, known);
        }
        return known;
    }

    /** The node of the content of an object. */
    int inside(int object) {
        return insides.get(object);
    }

    /** Makes an object a view of its originals: it changes when they do. */
    void view(int object) {
        views.set(object);
    }

    /** The node of the objects that change with an object, as it is a view of them. */
    int originals(int object) {
        return originals.get(object);
    }

    /** The objects of a node. To be read only. */
    BitSet set(int node) {
        return sets.get(node);
    }

    void include(int node, int object) {
        BitSet one = new BitSet();
        one.set(object);
        add(node, one);
    }

    /** The objects of one node are objects of another one. */
    void copy(int from, int to) {
        if (from != to && copied.add((long) from << 32 | to)) {
            use(from, set -> add(to, set));
        }
    }

    /** Adds the content of the objects of {@code from} to {@code to}. */
    void take(int from, int to) {
        each(from, o -> copy(inside(o), to));
    }

    /** Does something with each object of a node, now or when it is found to be one. */
    void each(int node, Consumer<Integer> user) {
        use(node, set -> set.stream().forEach(user::accept));
    }

    private void use(int node, Consumer<BitSet> user) {
        users.get(node).add(user);
        BitSet known = (BitSet) sets.get(node).clone();
        if (fresh.get(node) != null) {
            known.andNot(fresh.get(node));
        }
        tell(user, known);
    }

    private void add(int node, BitSet objects) {
        BitSet more = (BitSet) objects.clone();
        more.andNot(sets.get(node));
        if (more.isEmpty()) {
            return;
        }
        sets.get(node).or(more);
        if (fresh.get(node) == null) {
            fresh.set(node, more);
            work.add(node);
        } else {
            fresh.get(node).or(more);
        }
    }

    /** Finds all objects of all nodes, and reports whether it did: false if that would take too long. */
    boolean solve() {
        while (!work.isEmpty() && told < most) {
            int node = work.poll();
            BitSet more = fresh.set(node, null);
            for (Consumer<BitSet> user : List.copyOf(users.get(node))) {
                tell(user, more);
            }
        }
        return work.isEmpty();
    }

    private void tell(Consumer<BitSet> user, BitSet objects) {
        told += 1 + objects.length() / Long.SIZE;
        user.accept(objects);
    }

    /** These objects, and all that are inside of them, at any depth. */
    BitSet closure(BitSet objects) {
        return closure(objects, o -> views.get(o) ? List.of(inside(o), originals(o)) : List.of(inside(o)));
    }

    /** These objects, and all that they are views of. */
    BitSet changing(BitSet objects) {
        return closure(objects, o -> List.of(originals(o)));
    }

    private BitSet closure(BitSet objects, IntFunction<List<Integer>> next) {
        BitSet all = (BitSet) objects.clone();
        Deque<Integer> open = new ArrayDeque<>();
        objects.stream().forEach(open::add);
        while (!open.isEmpty()) {
            for (int node : next.apply(open.poll())) {
                sets.get(node).stream().filter(o -> !all.get(o)).forEach(o -> {
                    all.set(o);
                    open.add(o);
                });
            }
        }
        return all;
    }
}
