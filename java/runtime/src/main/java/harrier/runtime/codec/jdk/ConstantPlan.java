package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.graph.Constants;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.Plan;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.chrono.Chronology;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Handles of fields and methods, formatters of dates and calendar systems, which are written as the static final fields that hold
 * them: those of the program, and the public ones of their own class.
 */
final class ConstantPlan extends Plan {
    private static final List<Class<?>> TYPES = List.of(VarHandle.class, MethodHandle.class, AtomicIntegerFieldUpdater.class,
        AtomicLongFieldUpdater.class, AtomicReferenceFieldUpdater.class, DateTimeFormatter.class, Chronology.class);

    /** The fields of the class that hold such objects. */
    private final List<Field> own;

    private ConstantPlan(Class<?> type) {
        super(type);
        own = Arrays.stream(type.getFields()).filter(f -> f.getDeclaringClass() == type && Modifier.isStatic(f.getModifiers())
            && Modifier.isFinal(f.getModifiers()) && type.isAssignableFrom(f.getType())).toList();
    }

    /** The plan of a class of such handles; null for others. */
    static Plan of(Class<?> type) {
        return TYPES.stream().anyMatch(t -> t.isAssignableFrom(type)) ? new ConstantPlan(type) : null;
    }

    @Override
    public void write(Encoder e, Object value) {
        byte[] constant = e.constant(value, this);
        if (constant == null) {
            constant = own.stream().filter(f -> Raw.get(f) == value).findFirst()
                .map(f -> Constants.names(type, f.getName())).orElse(null);
        }
        if (constant == null) {
            throw e.refuse(type, "keep it in a static final field");
        }
        e.writeConstant(constant);
    }

    @Override
    public Object read(Decoder d, int tag) {
        throw d.in.bad("tag " + Integer.toHexString(tag) + " for " + type.getName());
    }

    @Override
    protected boolean keepsIdentity() {
        return false;
    }

    @Override
    protected boolean canChange() {
        return false;
    }

    /** A handle may be bound to objects. */
    @Override
    protected boolean omits() {
        return true;
    }
}
