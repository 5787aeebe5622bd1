package harrier.runtime.rules;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.Held;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The static fields of a program's classes, and the fields of its enum constants: what they hold when the program is
 * set up, or when their class is initialized, is what every execution begins with.
 *
 * <p>Fields that cannot change are not kept here, so programs that have no others pay nothing.
 */
final class Statics {
    static final String MEND = "actors share nothing but messages: keep it in a field of the actor; --allow"
        + " statics=frozen puts it back after each step";

    private final Codec codec;
    private final boolean frozen;
    private final List<Cell> cells = new ArrayList<>();
    /** What fields hold that could change, those that are kept and those that cannot be. */
    private final Held held = Held.byStatics();
    /** Whether cells may hold something else since the last look at them. */
    private boolean dirty;
    private String found;

    /** How many initializers run now, one within another. */
    private int initializers;
    /** The fields that they wrote. */
    private final Set<String> written = new HashSet<>();

    Statics(Codec codec, boolean frozen) {
        this.codec = codec;
        this.frozen = frozen;
    }

    Held held() {
        return held;
    }

    boolean isFrozen() {
        return frozen;
    }

    /** Takes what the static fields of a class hold now as what executions begin with. */
    void add(Class<?> type) {
        cells.removeIf(c -> c.isOf(type));
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
        cell.hold(codec, held);
        if (cell.keep(codec)) {
            cells.add(cell);
        }
    }

    private static Field[] fields(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError e) {
            return new Field[0]; // a class that lacks others is never initialized
        }
    }

    void begin() {
        dirty = !cells.isEmpty();
        found = null;
        initializers = 0; // one that failed never ended
        written.clear();
    }

    /** An initializer begins. What changed before it did is not its doing. */
    void initializing() {
        if (initializers++ == 0 && !frozen && found == null) {
            found = find();
        }
    }

    /** A field is written while initializers run. */
    void written(String field) {
        written.add(field);
    }

    /**
     * The initializer of a class ends. What it did to other classes belongs to what executions begin with, too: it is
     * done once. When they are frozen it is not known who changed what collections hold, so those are put back.
     */
    void initialized(Class<?> type) {
        add(type);
        dirty = true;
        if (--initializers <= 0) {
            initializers = 0;
            cells.stream().filter(c -> frozen ? written.contains(c.name()) : c.isChanged(codec)).toList()
                .forEach(this::keepAgain);
            written.clear();
        }
    }

    private void keepAgain(Cell cell) {
        cell.keep(codec);
        cell.hold(codec, held);
    }

    /**
     * The name of a field that the execution, which may be over, left with something else; null if there is none, or
     * if that is allowed.
     */
    String changed() {
        look();
        return found;
    }

    private void look() {
        if (dirty && !frozen && found == null) {
            found = find();
            dirty = found != null;
        }
    }

    private String find() {
        return cells.stream().filter(c -> c.isChanged(codec)).findFirst().map(Cell::name).orElse(null);
    }

    /** Puts back what an execution changed. */
    void end() {
        look();
        if (dirty) {
            cells.forEach(Cell::putBack);
            dirty = false;
        }
    }
}
