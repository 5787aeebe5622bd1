package harrier.runtime.rules.statics;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.codec.graph.NotCapturableException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/** A static field, or a field of an enum constant, with its noted value. */
final class Cell {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private final Class<?> owner;
    private final Field field;
    private final Object base;
    private final long offset;
    private final String key;
    private final boolean isReference;
    private Object value;
    /** The encoding of the value, if it may change; null if it cannot, or if it cannot be captured with all that it holds. */
    private byte[] content;
    private HeapCopy copy;
    private boolean isCaptured;

    private Cell(Class<?> owner, String constant, Field field, Object base, long offset) {
        key = owner.getName() + constant + "." + field.getName();
        this.owner = owner;
        this.field = field;
        isReference = !field.getType().isPrimitive();
        this.base = base;
        this.offset = offset;
    }

    /** A static field. */
    static Cell of(Class<?> owner, Field field) {
        return new Cell(owner, "", field, UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
    }

    /** A field of one of the class's enum constants. */
    static Cell of(Class<?> owner, Object constant, Field field) {
        return new Cell(owner, "." + ((Enum<?>) constant).name(), field, constant, UNSAFE.objectFieldOffset(field));
    }

    boolean isOf(Class<?> type) {
        return owner == type;
    }

    /** Reports whether its class is among some, by name. */
    boolean isOf(Set<String> names) {
        return names.contains(owner.getName());
    }

    /** Reports whether code reads the field by the name of this class, which may inherit it. */
    boolean isReadAs(String type, String name, ClassLoader loader) {
        try {
            return Modifier.isStatic(field.getModifiers()) && field.getName().equals(name)
                && owner.isAssignableFrom(Class.forName(type, false, loader));
        } catch (ClassNotFoundException e) {
            return false; // the code that reads it fails
        }
    }

    /** The binary name of the class, a dot and the field's name, with that of the enum constant between them. */
    String key() {
        return key;
    }

    /** Reports whether the field may get another reference: the JIT takes static finals for constants. */
    boolean isOpen() {
        return !Modifier.isFinal(field.getModifiers()) || !Modifier.isStatic(field.getModifiers());
    }

    /** Reports whether the field holds the object or the value that was noted, whatever that object holds. */
    boolean holdsNoted() {
        return isReference ? UNSAFE.getReferenceVolatile(base, offset) == value : get().equals(value);
    }

    /**
     * Reports whether the field holds the noted value, down to the last bit of the objects behind it. If it does not, it may
     * still hold the same content: a hash table that grew, or a cache that was filled.
     */
    private boolean isUntouched() {
        return holdsNoted() && isWhole() && (copy == null || !copy.isChanged());
    }

    /** Reports whether all that the content depends on was noted. */
    boolean isWhole() {
        return copy == null || copy.isWhole() || !isCaptured;
    }

    /** What the objects behind the field held; null if it does not matter. */
    HeapCopy copy() {
        return copy;
    }

    /** The field as it is called where it is written: {@code Outer.Inner.field}. */
    String name() {
        return label(owner.getName() + "." + field.getName());
    }

    /** A field as it is called where it is written, from the binary name of its class, a dot and its own. */
    static String label(String full) {
        int dot = full.lastIndexOf('.');
        return full.substring(full.lastIndexOf('.', dot - 1) + 1, dot).replace('$', '.') + full.substring(dot);
    }

    /** Reports whether the field leads to an actor. */
    boolean reachesActor() {
        return copy != null && copy.reachesActor();
    }

    /** Notes what the field holds, and reports whether that may change. */
    boolean keep(Codec codec) {
        value = get();
        content = null;
        copy = null;
        isCaptured = true;
        if (isReference && value != null) {
            try {
                content = codec.isConstant(value) ? null : codec.encode(value);
            } catch (NotCapturableException e) {
                isCaptured = false; // so it is compared field by field
            }
        }
        if (content != null || !isCaptured) {
            HeapCopy held = new HeapCopy(value);
            copy = held.isEmpty() ? null : held;
        }
        return copy != null || !Modifier.isFinal(field.getModifiers());
    }

    /** Notes the objects behind the field. */
    void hold(Codec codec, HeldObjects held) {
        if (isReference) {
            codec.hold(name(), get(), held);
        }
    }

    /** Notes the content anew, in which objects have names by now. */
    void noteNames(Codec codec) {
        if (content != null) {
            content = codec.encode(value);
        }
    }

    /**
     * Names the objects behind the field that cannot change, and of those that actors have the ones that are looked at after steps.
     *
     * @param kept the objects that actors have; null if they may have any
     */
    void name(Codec codec, List<Identities> kept) {
        if (isReference) {
            Set<Object> watched = copy == null || kept != null && kept.isEmpty() ? Set.of() : copy.objects();
            codec.name(owner, key.substring(owner.getName().length() + 1), get(), kept, watched::contains);
        }
    }

    /**
     * Reports whether the field holds something else than was noted. Content is compared only where bits differ, as
     * encoding is slow.
     */
    boolean differs(Codec codec) {
        if (isUntouched()) {
            return false;
        }
        if (!holdsNoted() || !isCaptured) {
            return true;
        }
        try {
            return !Arrays.equals(content, codec.encode(value));
        } catch (NotCapturableException e) {
            return true;
        }
    }

    /** Reports whether it does. If it does not, the bits in which the same content is held now count from then on. */
    boolean isChanged(Codec codec) {
        if (isUntouched()) {
            return false;
        }
        boolean differs = differs(codec);
        if (!differs && copy.isChanged()) {
            copy = new HeapCopy(value);
        }
        return differs;
    }

    /** Restores the noted value. */
    void putBack() {
        putBackField();
        if (copy != null && copy.isChanged()) {
            copy.putBack();
        }
    }

    /** Makes the field refer to the object, or hold the value, that was noted. */
    void putBackField() {
        if (isOpen()) {
            put(value);
        }
    }

    /** What undoes {@link #putBack}. */
    Runnable save() {
        Object now = get();
        HeapCopy contents = copy == null ? null : copy.again();
        return () -> {
            if (isOpen()) {
                put(now);
            }
            if (contents != null) {
                contents.putBack();
            }
        };
    }

    Object get() {
        return Memory.get(field.getType(), base, offset);
    }

    void put(Object newValue) {
        Memory.put(field.getType(), base, offset, newValue);
    }
}
