package harrier.runtime.analysis;

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

/**
 * Solves which objects values may be: inclusion constraints after Andersen, "Program Analysis and Specialization for
 * the C Programming Language" (1994), chapter 4. Objects are numbered; nodes stand for sets of them.
 */
final class PointsTo {
    private final List<BitSet> sets = new ArrayList<>();
    private final List<List<Consumer<BitSet>>> users = new ArrayList<>();
    private final Deque<Integer> work = new ArrayDeque<>();
    private final Map<Object, Integer> nodes = new HashMap<>();
    private final Set<Long> copied = new HashSet<>();
    private final List<Integer> insides = new ArrayList<>();
    private final List<Integer> originals = new ArrayList<>();

    /** A further object. */
    int object() {
        insides.add(node());
        originals.add(node());
        return insides.size() - 1;
    }

    int node() {
        sets.add(new BitSet());
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

    /** The node of what is inside of an object. */
    int inside(int object) {
        return insides.get(object);
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
        if (!sets.get(node).get(object)) {
            sets.get(node).set(object);
            work.add(node);
        }
    }

    /** The objects of one node are objects of another one. */
    void copy(int from, int to) {
        if (from != to && copied.add((long) from << 32 | to)) {
            use(from, set -> add(to, set));
        }
    }

    /** What is inside of the objects of one node are objects of another one. */
    void take(int from, int to) {
        each(from, o -> copy(inside(o), to));
    }

    /** The objects of one node are inside of those of another one. */
    void put(int what, int into) {
        each(into, o -> copy(what, inside(o)));
    }

    /** Does something with each object of a node, now or when it is found to be one; more than once for some. */
    void each(int node, Consumer<Integer> user) {
        BitSet done = new BitSet();
        use(node, set -> {
            BitSet more = (BitSet) set.clone();
            more.andNot(done);
            done.or(more);
            more.stream().forEach(user::accept);
        });
    }

    private void use(int node, Consumer<BitSet> user) {
        users.get(node).add(user);
        if (!sets.get(node).isEmpty()) {
            work.add(node);
        }
    }

    private void add(int node, BitSet more) {
        int before = sets.get(node).cardinality();
        sets.get(node).or(more);
        if (sets.get(node).cardinality() > before) {
            work.add(node);
        }
    }

    void solve() {
        while (!work.isEmpty()) {
            int node = work.poll();
            for (Consumer<BitSet> user : List.copyOf(users.get(node))) {
                user.accept(sets.get(node));
            }
        }
    }

    /** These objects, and all that are inside of them, at any depth. */
    BitSet closure(BitSet objects) {
        return closure(objects, insides);
    }

    /** These objects, and all that change with them. */
    BitSet changing(BitSet objects) {
        return closure(objects, originals);
    }

    private BitSet closure(BitSet objects, List<Integer> next) {
        BitSet all = (BitSet) objects.clone();
        Deque<Integer> open = new ArrayDeque<>();
        objects.stream().forEach(open::add);
        while (!open.isEmpty()) {
            sets.get(next.get(open.poll())).stream().filter(o -> !all.get(o)).forEach(o -> {
                all.set(o);
                open.add(o);
            });
        }
        return all;
    }
}
