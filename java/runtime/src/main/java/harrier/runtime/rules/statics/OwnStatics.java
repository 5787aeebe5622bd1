package harrier.runtime.rules.statics;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Static fields as part of the states of actors, each of which has its own, as if it ran in a process of its own.
 *
 * <p>A state shows only those that an actor changed: what is not there is as it was when the program was set up or the
 * class was initialized. So states do not depend on which classes a worker has loaded. Fields that shared objects from
 * the start go together, and so do fields that share one with the actor: otherwise it would be two objects later.
 */
final class OwnStatics {
    private static final String INTERFACE = "it is a field of an interface; declare it in a class";

    private final Codec codec;
    private final Map<String, Cell> cells = new LinkedHashMap<>();
    private List<Group> groups = List.of();
    /** What all of them reached at first. */
    private Identities objects;

    OwnStatics(Codec codec) {
        this.codec = codec;
    }

    /**
     * Fields that go together.
     *
     * @param base the encoding of what all of them held at first; null if that cannot be captured
     */
    private record Group(List<Cell> cells, byte[] base) {
        List<Object> values() {
            return new ArrayList<>(cells.stream().map(Cell::get).toList());
        }
    }

    /** Takes all fields there are. They hold what was noted. */
    void take(Collection<Cell> all) {
        cells.clear();
        all.forEach(c -> cells.put(c.key(), c));
        List<Cell> listed = List.copyOf(all);
        int[] first = Identities.together(listed.stream().map(this::identities).toList());
        Map<Integer, List<Cell>> together = new LinkedHashMap<>();
        for (int i = 0; i < first.length; i++) {
            together.computeIfAbsent(first[i], k -> new ArrayList<>()).add(listed.get(i));
        }
        groups = together.values().stream().map(this::group).toList();
        objects = codec.identities(listed.stream().filter(Cell::isCaptured).map(Cell::get).toList());
    }

    private Identities identities(Cell cell) {
        return codec.identities(cell.isCaptured() ? Collections.singleton(cell.get()) : List.of());
    }

    private Group group(List<Cell> together) {
        together.sort((a, b) -> a.key().compareTo(b.key()));
        Group group = new Group(together, null);
        return together.get(0).isCaptured() ? new Group(together, codec.encode(group.values())) : group;
    }

    /** The name of a field of some that shares an object with one of the others; null if there is none. */
    String sharing(Collection<Cell> some) {
        for (Group group : groups) {
            List<Cell> mixed = group.cells.stream().filter(some::contains).toList();
            if (!mixed.isEmpty() && mixed.size() < group.cells.size()) {
                return mixed.get(0).name();
            }
        }
        return null;
    }

    /** The field with the name that states give it, once its class is initialized; null if there is none. */
    Cell find(String key) {
        return cells.get(key);
    }

    /**
     * A state with the static fields of the actor as they are now.
     *
     * @param isUntouched whether they are as they were at first
     */
    LocalState in(LocalState state, boolean isUntouched) {
        Map<String, Object> beside = new LinkedHashMap<>(state.beside());
        beside.keySet().removeIf(key -> key.startsWith(Cell.KEY));
        LocalState bare = new LocalState(state.name(), state.children(), state.actor(), beside);
        Map<String, Object> own = new TreeMap<>();
        for (Group group : isUntouched && !codec.identities(bare).meets(objects) ? List.<Group>of() : shown(bare)) {
            for (Cell cell : group.cells) {
                if (!cell.isOpen()) {
                    throw NotCapturableException.ofStatic(cell.key(), INTERFACE);
                }
                own.put(cell.key(), cell.get());
            }
        }
        if (own.isEmpty()) {
            return bare;
        }
        beside.putAll(own);
        return new LocalState(state.name(), state.children(), state.actor(), beside);
    }

    /** The fields that are not as they were, and those that share something with the actor or with other ones. */
    private List<Group> shown(LocalState bare) {
        List<Identities> reached = new ArrayList<>(groups.stream().map(this::reached).toList());
        reached.add(codec.identities(bare));
        int[] first = Identities.together(reached);
        int[] sizes = new int[first.length];
        Arrays.stream(first).forEach(f -> sizes[f]++);
        return IntStream.range(0, groups.size()).filter(i -> sizes[first[i]] > 1 || differs(groups.get(i)))
            .mapToObj(groups::get).toList();
    }

    private boolean differs(Group group) {
        if (group.cells.stream().allMatch(Cell::isUntouched)) {
            return false;
        }
        if (group.base == null) {
            return true;
        }
        try {
            return !Arrays.equals(group.base, codec.encode(group.values()));
        } catch (NotCapturableException e) {
            return true; // who encodes the state complains
        }
    }

    /** What the fields reach; nothing if that cannot be captured. */
    private Identities reached(Group group) {
        try {
            return codec.identities(group.base == null && group.cells.get(0).isUntouched() ? List.of() : group.values());
        } catch (NotCapturableException e) {
            return codec.identities(List.of());
        }
    }

    /** The name of a field that reaches the same objects as an actor; null if there is none. */
    String sharedWith(Identities actor) {
        for (Cell cell : cells.values()) {
            try {
                if (cell.isCaptured() && codec.identities(Collections.singleton(cell.get())).meets(actor)) {
                    return cell.name();
                }
            } catch (NotCapturableException e) {
                // who encodes the state of its actor complains
            }
        }
        return null;
    }
}
