package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.Fill;
import harrier.runtime.codec.graph.Plan;
import harrier.runtime.codec.graph.Slot;
import harrier.runtime.codec.graph.Slots;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What {@code List.of}, {@code Stream.toList}, {@code Set.of} and {@code Map.of} make: values without a number. */
final class Immutables extends Plan {
    // The JDK's own classes for one or two elements, and for more.
    private static final Shell SET_FEW = new Shell(Set.of(1));
    private static final Shell SET_MANY = new Shell(Set.of(1, 2, 3));
    private static final Shell MAP_ONE = new Shell(Map.of(1, 1));
    private static final Shell MAP_MANY = new Shell(Map.of(1, 1, 2, 2));

    private static final Class<?> LIST_MANY = List.of(1, 2, 3).getClass();
    private static final Class<?> SUB_LIST = List.of(1, 2, 3).subList(0, 1).getClass();
    private static final long ALLOW_NULLS = Raw.UNSAFE.objectFieldOffset(LIST_MANY, "allowNulls");
    private static final long ROOT = Raw.UNSAFE.objectFieldOffset(SUB_LIST, "root");

    private static final Set<Class<?>> CLASSES = Set.of(List.of().getClass(), List.of(1).getClass(), SUB_LIST,
        SET_FEW.type, SET_MANY.type, MAP_ONE.type, MAP_MANY.type);

    Immutables(Class<?> type) {
        super(type);
    }

    /** Reports whether a class is one of them. */
    static boolean has(Class<?> type) {
        return CLASSES.contains(type);
    }

    @Override
    protected boolean keepsIdentity() {
        return false;
    }

    @Override
    public void write(Encoder e, Object value) {
        if (value instanceof List<?> list) {
            e.out.u8(takesNull(list) ? Tag.NULLABLE_LIST : Tag.IMMUTABLE_LIST);
            CollectionPlan.writeInOrder(e, list);
        } else if (value instanceof Set<?> set) {
            e.out.u8(Tag.IMMUTABLE_SET);
            CollectionPlan.writeSorted(e, set);
        } else {
            e.out.u8(Tag.IMMUTABLE_MAP);
            MapPlan.writeSorted(e, (Map<?, ?>) value);
        }
    }

    @Override
    public Object read(Decoder d, int tag) {
        return switch (tag) {
            case Tag.IMMUTABLE_LIST -> list(d);
            case Tag.NULLABLE_LIST -> Arrays.stream(CollectionPlan.readValues(d, d.in.count())).toList();
            case Tag.IMMUTABLE_SET -> set(d);
            case Tag.IMMUTABLE_MAP -> map(d);
            default -> throw d.in.bad(type.getName() + " by name");
        };
    }

    /** Reports whether a list is what {@code Stream.toList} makes, or a part of it. */
    private static boolean takesNull(List<?> list) {
        Object whole = list.getClass() == SUB_LIST ? Raw.UNSAFE.getReference(list, ROOT) : list;
        return whole.getClass() == LIST_MANY && Raw.UNSAFE.getBoolean(whole, ALLOW_NULLS);
    }

    private static Object list(Decoder d) {
        Object[] values = CollectionPlan.readValues(d, d.in.count());
        if (Arrays.asList(values).contains(null)) {
            throw d.in.bad("null in a list that does not take it");
        }
        return List.of(values);
    }

    private static Object set(Decoder d) {
        int n = d.in.count();
        if (n == 0) {
            return Set.of();
        }
        Shell shell = n <= 2 ? SET_FEW : SET_MANY;
        Object[] keys = CollectionPlan.readValues(d, n);
        Object set = shell.make();
        d.later(new Fill(keys) {
            @Override
            protected void fill() {
                shell.fill(set, orComplain(() -> Set.of(keys), set));
            }
        });
        return set;
    }

    private static Object map(Decoder d) {
        int n = d.in.count();
        if (n == 0) {
            return Map.of();
        }
        Shell shell = n == 1 ? MAP_ONE : MAP_MANY;
        MapPlan.Entry[] entries = MapPlan.readEntries(d, n);
        Object map = shell.make();
        d.later(new Fill(MapPlan.keys(entries)) {
            @Override
            protected void fill() {
                shell.fill(map, orComplain(() -> Map.ofEntries(entries), map));
            }
        });
        return map;
    }

    private static Object orComplain(Supplier<?> made, Object shell) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw Fill.equalElements(shell.getClass());
        }
    }

    /**
     * An immutable collection that exists before its elements are complete: it is made without them and
     * later takes over the fields of a proper one. A set's elements may lead back to the set's owner.
     */
    private static final class Shell {
        private final Class<?> type;
        private final List<Slot> slots;

        Shell(Object sample) {
            type = sample.getClass();
            slots = Slots.all(type);
        }

        Object make() {
            try {
                return Raw.UNSAFE.allocateInstance(type);
            } catch (InstantiationException e) {
                throw new AssertionError(e);
            }
        }

        void fill(Object shell, Object proper) {
            if (proper.getClass() != type) {
                throw new AssertionError(proper.getClass());
            }
            for (Slot slot : slots) {
                slot.copy(proper, shell);
            }
        }
    }
}
