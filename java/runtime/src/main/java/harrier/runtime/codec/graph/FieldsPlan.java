package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.origin.Origin;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;

/**
 * Records, objects and actors: a class and its fields. Constructors do not run when they are read. Immutable objects
 * of the JDK are written like records, as their sharing does not matter.
 */
public class FieldsPlan extends Plan {
    /** How many fields take part in the hash. */
    private static final int HASHED = 4;

    private final int tag;
    private final Slot[] slots;
    private final Hidden hidden;
    private final boolean isView;
    private final boolean canChange;
    /** The name of the class. */
    private final byte[] name;
    private final byte[] count;

    public FieldsPlan(Class<?> type, int tag, List<Slot> slots) {
        this(type, type.getName(), tag, slots);
    }

    /** A plan that writes another name than the class's own. */
    public FieldsPlan(Class<?> type, String name, int tag, List<Slot> slots) {
        super(type);
        this.tag = tag;
        this.slots = slots.toArray(new Slot[0]);
        hidden = Hidden.of(type);
        isView = type.getName().startsWith("java.util.Collections$Unmodifiable");
        canChange = tag != Tag.ACTOR && slots.stream().anyMatch(s -> canChange(s.field));
        Output out = new Output();
        out.varint(this.slots.length);
        count = out.toBytes();
        out = new Output();
        out.string(name);
        this.name = out.toBytes();
    }

    @Override
    public void write(Encoder e, Object value) {
        if (tag == Tag.OBJECT && slots.length == 0) {
            byte[] constant = e.written(value, this);
            if (constant != null) {
                e.writeConstant(constant);
                return;
            }
        }
        if (tag != Tag.RECORD) {
            if (e.known(value, this)) {
                return;
            }
            if (tag == Tag.ACTOR) {
                throw e.refuse(type, "it is an actor of its own; hold its ActorName");
            }
        }
        if (hidden != Hidden.NONE) {
            hidden.prepare(e, value);
        }
        e.out.u8(tag);
        if (isView) {
            writeView(e, value);
        } else {
            writeFields(e, value);
        }
    }

    /** Writes all but the tag and the extra state of actors; the values beside the fields as if they were in fields. */
    void writeFields(Encoder e, Object value, Map<String, Object> beside) {
        e.out.raw(name);
        e.out.varint(slots.length + beside.size());
        writeSlots(e, value, slots);
        beside.forEach((key, more) -> {
            e.field(key);
            e.out.string(key);
            e.write(more instanceof SortedBeside values ? values.sorted(e::beside) : more);
        });
    }

    /** Writes all but the tag. */
    private void writeFields(Encoder e, Object value) {
        e.out.raw(name);
        e.out.raw(count);
        writeSlots(e, value, slots);
    }

    /** Writes the fields of an unmodifiable collection. */
    private void writeView(Encoder e, Object value) {
        e.out.raw(name);
        e.out.raw(count);
        for (Slot slot : slots) {
            e.guard(Raw.UNSAFE.getReference(value, slot.offset));
            writeSlots(e, value, new Slot[] {slot});
        }
    }

    /** Writes fields with their names. */
    public static void writeSlots(Encoder e, Object value, Slot[] slots) {
        for (Slot slot : slots) {
            e.field(slot.name);
            if (slot.kind != 'L') {
                e.roomFor(slot.type);
            }
            e.out.raw(slot.encodedName);
            Slot.write(e, value, slot.offset, slot.kind);
        }
    }

    @Override
    public Object read(Decoder d, int tag) {
        expect(d, tag, this.tag);
        Object value = allocate(d);
        int number = tag == Tag.RECORD ? -1 : d.reserve();
        if (number >= 0) {
            d.define(number, value);
        }
        int more = d.in.skip(count) ? 0 : d.in.number() - slots.length;
        if (more < 0 || more > 0 && tag != Tag.ACTOR) {
            throw d.in.bad("another count of fields than " + type.getName() + " has");
        }
        readSlots(d, value, slots, type);
        for (; more > 0; more--) {
            d.beside.put(d.in.string(), d.read());
        }
        if (number >= 0) {
            d.finish(number);
        }
        return value;
    }

    /** Reads fields with their names. */
    public static void readSlots(Decoder d, Object value, Slot[] slots, Class<?> type) {
        for (Slot slot : slots) {
            if (!d.in.skip(slot.encodedName)) {
                throw d.in.bad("another field than " + slot.name + " of " + type.getName());
            }
            Slot.read(d, value, slot.offset, slot.kind, slot.type);
        }
    }

    private Object allocate(Decoder d) {
        try {
            Object value = Raw.UNSAFE.allocateInstance(type);
            if (hidden != Hidden.NONE) {
                hidden.fill(value);
            }
            return value;
        } catch (InstantiationException e) {
            throw d.in.bad(type.getName() + " is abstract");
        }
    }

    @Override
    protected boolean keepsIdentity() {
        return tag != Tag.RECORD;
    }

    @Override
    protected boolean canChange() {
        return canChange;
    }

    /** The stack trace of a throwable can be set. */
    @Override
    protected boolean omits() {
        return Throwable.class.isAssignableFrom(type);
    }

    /** Exceptions are often constants: the fields of the JDK's part of one do not count as content that changes. */
    private static boolean canChange(Field field) {
        Class<?> owner = field.getDeclaringClass();
        return !Modifier.isFinal(field.getModifiers()) && !(Throwable.class.isAssignableFrom(owner) && Origin.isJdks(owner));
    }

    @Override
    protected int hash(Object value) {
        int hash = super.hash(value);
        for (int i = 0; i < slots.length && i < HASHED; i++) {
            Slot slot = slots[i];
            hash = hash * 31 + switch (slot.kind) {
                case 'I' -> Raw.UNSAFE.getInt(value, slot.offset);
                case 'J' -> Long.hashCode(Raw.UNSAFE.getLong(value, slot.offset));
                case 'L' -> hashOf(Raw.UNSAFE.getReference(value, slot.offset));
                default -> 0;
            };
        }
        return hash;
    }

    private static int hashOf(Object field) {
        return field instanceof String || field instanceof Integer || field instanceof Long ? field.hashCode() : 0;
    }
}
