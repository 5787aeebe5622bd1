package harrier.runtime.rules.statics;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.origin.Loggers;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The static fields that can change, and the fields of enum constants, with what executions begin with. Those that cannot change are
 * not kept, so programs that have no others pay nothing. All objects behind them are compared at once, bit by bit.
 */
final class Cells {
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
        copy = null;
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
        copy = null;
        names.add(cell.get());
        cell.keep(codec);
        if (!frozen) {
            cell.hold(codec, held);
        }
    }

    /** The name of a field that holds something else; null if none does. */
    String findChanged() {
        boolean isSame = isSame();
        String changed = null;
        for (int i = 0; i < list.size() && changed == null; i++) { // a loop, as it runs after each step
            Cell cell = list.get(i);
            changed = isSame && isUntouched(cell) || !cell.isChanged(codec) ? null : cell.name();
        }
        if (changed != null) {
            copy = null;
        } else if (!isSame) {
            copy = copyAll();
        }
        return changed;
    }

    /** Reports whether the objects behind all fields hold what they did, to the last bit. Those behind several are looked at once. */
    boolean isSame() {
        return copy != null && !copy.isChanged();
    }

    /** Reports whether fields hold what they did as well. */
    boolean areUntouched() {
        for (Cell cell : list) {
            if (!cell.holdsNoted()) {
                return false;
            }
        }
        return isSame();
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
        if (!isSame()) {
            list.stream().filter(c -> c.copy() != null && c.differs(codec)).forEach(c -> c.copy().addChanged(changed));
        }
        return changed;
    }

    /** Puts back what cells held, each by itself. */
    void putBackEach() {
        list.forEach(Cell::putBack);
    }

    /** Restores the values of cells, and the objects behind them. */
    void putBack() {
        if (copy == null) {
            list.forEach(Cell::putBack);
            copy = copyAll();
            return;
        }
        list.forEach(Cell::putBackField);
        if (copy.isChanged()) {
            copy.putBack();
        }
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
