package harrier.runtime.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Handles of fields and methods, which are written as the static final fields of the program that hold them. */
final class ConstantPlan extends Plan {
    private static final List<Class<?>> TYPES = List.of(VarHandle.class, MethodHandle.class, AtomicIntegerFieldUpdater.class,
        AtomicLongFieldUpdater.class, AtomicReferenceFieldUpdater.class);

    private ConstantPlan(Class<?> type) {
        super(type);
    }

    /** The plan of a class of such handles; null for others. */
    static Plan of(Class<?> type) {
        return TYPES.stream().anyMatch(t -> t.isAssignableFrom(type)) ? new ConstantPlan(type) : null;
    }

    @Override
    void write(Encoder e, Object value) {
        byte[] constant = e.constant(value, this);
        if (constant == null) {
            throw e.refuse(type, "keep it in a static final field");
        }
        e.writeConstant(constant);
    }

    @Override
    Object read(Decoder d, int tag) {
        throw d.in.bad("tag " + Integer.toHexString(tag) + " for " + type.getName());
    }

    @Override
    boolean keepsIdentity() {
        return false;
    }

    @Override
    boolean canChange() {
        return false;
    }
}
