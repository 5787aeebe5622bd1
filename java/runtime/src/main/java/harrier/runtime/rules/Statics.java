package harrier.runtime.rules;

import harrier.runtime.codec.Codec;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

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
    /** Whether cells may hold something else since the last look at them. */
    private boolean dirty;

    Statics(Codec codec, boolean frozen) {
        this.codec = codec;
        this.frozen = frozen;
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
    }

    /** The name of a field that holds something else by now; null if there is none, or if all are put back. */
    String changed() {
        if (frozen || !dirty) {
            return null;
        }
        for (Cell cell : cells) {
            if (cell.isChanged(codec)) {
                return cell.name();
            }
        }
        dirty = false;
        return null;
    }

    /** Puts back what an execution changed. */
    void end() {
        if (dirty) {
            cells.forEach(Cell::putBack);
            dirty = false;
        }
    }
}
