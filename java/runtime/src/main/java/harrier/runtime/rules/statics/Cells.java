package harrier.runtime.rules.statics;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.origin.Loggers;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The static fields that can change, and the fields of enum constants, with what executions begin with. Those that cannot change are
 * not kept, so programs that have no others pay nothing. All objects behind them are compared at once, bit by bit.
 */
final class Cells {
    /** How many objects that states have by name are looked at each by itself. */
    private static final int MOST_NAMED = 32;

    private final Codec codec;
    private final boolean frozen;
    /** The names of the program's own classes. */
    private final Set<String> program;
    private final List<Cell> list = new ArrayList<>();
    /** What fields hold that could change, those that are kept and those that cannot be; nothing if they are frozen. */
    private final HeldObjects held = HeldObjects.byStatics();
    /** The names of actors that fields led to when they were taken, those that cannot change included. */
    private final NamesBehind names = new NamesBehind();
    /** What the objects behind all cells held when that was noted; null if it is not known. */
    private HeapCopy copy;
    /** The cells that lead to each of these objects; null until one changes. */
    private Map<Object, List<Cell>> behind;
    /** The objects that states have by name, as far as they were asked for, with what they lead to. */
    private final List<Named> named = new ArrayList<>();
    private int sizeOfNamed;

    /**
     * An object behind a static field that a state has by name.
     *
     * @param reached what it and the objects behind it hold, as {@link #copy} has it
     */
    private record Named(Object object, HeapCopy reached) {}

    Cells(Codec codec, boolean frozen, Set<String> program) {
        this.codec = codec;
        this.frozen = frozen;
        this.program = program;
    }

    List<Cell> all() {
        return list;
    }

    /** The field with a key; null if its class is not initialized. */
    Cell find(String key) {
        return list.stream().filter(c -> c.key().equals(key)).findFirst().orElse(null);
    }

    Stream<Cell> stream() {
        return list.stream();
    }

    HeldObjects held() {
        return held;
    }

    NamesBehind names() {
        return names;
    }

    /** Takes the present values of a class's static fields as those with which executions begin. */
    void add(Class<?> type) {
        if (Loggers.has(type.getName()) && !program.contains(type.getName())) {
            return;
        }
        list.removeIf(c -> c.isOf(type));
        for (Field field : fields(type)) {
            if (!Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            add(Cell.of(type, field));
            if (field.isEnumConstant()) {
                addConstant(type, field);
            }
        }
    }

    /** The codec writes an enum constant by its name, so what its fields hold is looked after here. */
    private void addConstant(Class<?> type, Field constant) {
        Object value = Cell.of(type, constant).get();
        for (Class<?> c = value == null ? Enum.class : value.getClass(); c != Enum.class; c = c.getSuperclass()) {
            for (Field field : fields(c)) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    add(Cell.of(type, value, field));
                }
            }
        }
    }

    private void add(Cell cell) {
        note(null);
        names.add(cell.get());
        if (!frozen) {
            cell.hold(codec, held);
        }
        if (cell.keep(codec)) {
            list.add(cell);
        } else {
            cell.name(codec, List.of()); // values, as nothing in it has an identity
        }
    }

    /**
     * Names the objects behind some fields, in an order that does not depend on which class was initialized first. Reports whether there
     * are values among them, which have no names.
     */
    boolean name(Predicate<Cell> among, List<Identities> kept) {
        list.stream().filter(among).sorted(Comparator.comparing(Cell::key)).forEach(c -> c.name(codec, kept));
        boolean hasValues = codec.endNaming();
        list.stream().filter(among).forEach(c -> c.noteNames(codec));
        return hasValues;
    }

    /** Takes the present value of a changed cell as the one with which executions begin; actors must not reach its objects. */
    void keepAgain(Cell cell) {
        note(null);
        names.add(cell.get());
        cell.keep(codec);
        if (!frozen) {
            cell.hold(codec, held);
        }
    }

    /** The name of a field that holds something else; null if none does. */
    String findChanged() {
        Set<Object> bits = changedBits();
        String changed = null;
        for (Cell cell : suspects(bits)) {
            if (cell.isChanged(codec)) {
                changed = cell.name();
                break;
            }
        }
        if (changed != null) {
            note(null);
        } else if (bits == null || !bits.isEmpty()) {
            note(copyAll());
        }
        return changed;
    }

    private void note(HeapCopy all) {
        copy = all;
        behind = null;
        named.clear();
        sizeOfNamed = 0;
    }

    /** The objects behind fields that hold something else than they did, by their bits; null if that is not known. Each is looked at once. */
    Set<Object> changedBits() {
        return copy == null ? null : copy.changed();
    }

    /** Reports whether all fields hold the objects and values that were noted. */
    boolean holdNoted() {
        for (int i = 0; i < list.size(); i++) { // a loop, as it runs after each step
            if (!list.get(i).holdsNoted()) {
                return false;
            }
        }
        return true;
    }

    /**
     * The fields that may hold something else than was noted. All others do hold it: no object behind them has changed.
     *
     * @param bits what {@link #changedBits} gives
     */
    List<Cell> suspects(Set<Object> bits) {
        if (bits == null) {
            return list;
        }
        Set<Cell> leading = Set.of();
        if (!bits.isEmpty()) {
            leading = new HashSet<>();
            for (Object object : bits) {
                List<Cell> cells = behind().get(object);
                if (cells == null) {
                    return list; // they were noted anew meanwhile, with other objects of the same content
                }
                leading.addAll(cells);
            }
        }
        List<Cell> suspects = List.of();
        for (int i = 0; i < list.size(); i++) {
            Cell cell = list.get(i);
            if (!isUntouched(cell) || leading.contains(cell)) {
                suspects = suspects.isEmpty() ? new ArrayList<>() : suspects;
                suspects.add(cell);
            }
        }
        return suspects;
    }

    private Map<Object, List<Cell>> behind() {
        if (behind == null) {
            behind = new IdentityHashMap<>();
            list.stream().filter(c -> c.copy() != null)
                .forEach(c -> c.copy().each(object -> behind.computeIfAbsent(object, o -> new ArrayList<>(1)).add(c)));
        }
        return behind;
    }

    /** Reports whether a field is untouched if the objects behind it are the same. */
    private static boolean isUntouched(Cell cell) {
        return cell.holdsNoted() && cell.isWhole();
    }

    private HeapCopy copyAll() {
        return HeapCopy.union(list.stream().map(Cell::copy).filter(Objects::nonNull));
    }

    /** The objects behind cells that a step changed. */
    Set<Object> changedObjects() {
        Set<Object> changed = HeapCopy.identities();
        Set<Object> bits = changedBits();
        if (bits == null || !bits.isEmpty()) {
            suspects(bits).stream().filter(c -> c.copy() != null && c.differs(codec)).forEach(c -> c.copy().addChanged(changed));
        }
        return changed;
    }

    /**
     * Reports whether an object that a state has by name leads to nothing that a step changed, so it is not among {@link #changedObjects}.
     * If it does not report that, it may be. Of the objects behind all fields it looks at few.
     */
    boolean leadsToSame(Object object) {
        for (int i = 0; i < named.size(); i++) { // a loop, as a map would have objects draw identity hash codes
            if (named.get(i).object == object) {
                return !named.get(i).reached.isChanged();
            }
        }
        if (copy == null || copy.isChanged()) {
            return false;
        }
        HeapCopy reached = new HeapCopy(object);
        if (named.size() < MOST_NAMED && sizeOfNamed + reached.size() < copy.size()) {
            named.add(new Named(object, reached));
            sizeOfNamed += reached.size();
        }
        return true;
    }

    /** Puts back what cells held, each by itself. */
    void putBackEach() {
        list.forEach(Cell::putBack);
    }

    /** Restores the values of cells, and the objects behind them. */
    void putBack() {
        if (copy == null) {
            list.forEach(Cell::putBack);
            note(copyAll());
            return;
        }
        list.forEach(Cell::putBackField);
        copy.putBack();
    }

    /** The fields that a class declares. */
    static Field[] fields(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError e) {
            return new Field[0]; // a class that lacks others is never initialized
        }
    }
}
