package harrier.runtime.codec;

import java.util.List;
import java.util.Map;

/** Records, objects and actors: a class and its fields. Constructors do not run when they are read. */
final class FieldsPlan extends Plan {
    /** So many fields take part in the hash. */
    private static final int HASHED = 4;

    private final int tag;
    private final Slot[] slots;
    /** The name of the class. */
    private final byte[] name;
    private final byte[] count;

    FieldsPlan(Class<?> type, int tag, List<Slot> slots) {
        super(type);
        this.tag = tag;
        this.slots = slots.toArray(new Slot[0]);
        Output out = new Output();
        out.varint(this.slots.length);
        count = out.toBytes();
        out = new Output();
        out.string(type.getName());
        name = out.toBytes();
    }

    @Override
    void write(Encoder e, Object value) {
        if (tag == Tag.OBJECT && slots.length == 0) {
            byte[] constant = e.constant(value);
            if (constant != null) {
                e.out.u8(Tag.ENUM);
                e.out.raw(constant);
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
        e.out.u8(tag);
        writeFields(e, value, Map.of());
    }

    /** Writes all but what is special to actors and the tag; what there is beside the fields as if it was in fields. */
    void writeFields(Encoder e, Object value, Map<String, Object> beside) {
        e.out.raw(name);
        if (beside.isEmpty()) {
            e.out.raw(count);
        } else {
            e.out.varint(slots.length + beside.size());
        }
        for (Slot slot : slots) {
            e.field(slot.name);
            if (slot.kind != 'L') {
                e.roomFor(slot.type);
            }
            e.out.raw(slot.encodedName);
            Slot.write(e, value, slot.offset, slot.kind);
        }
        beside.forEach((key, more) -> {
            e.field(key);
            e.out.string(key);
            e.write(more);
        });
    }

    @Override
    Object read(Decoder d, int tag) {
        expect(d, tag, this.tag);
        Object value;
        try {
            value = Slot.UNSAFE.allocateInstance(type);
        } catch (InstantiationException e) {
            throw d.in.bad(type.getName() + " is abstract");
        }
        int number = tag == Tag.RECORD ? -1 : d.reserve();
        if (number >= 0) {
            d.define(number, value);
        }
        int more = d.in.skip(count) ? 0 : d.in.number() - slots.length;
        if (more < 0 || more > 0 && tag != Tag.ACTOR) {
            throw d.in.bad("another count of fields than " + type.getName() + " has");
        }
        for (Slot slot : slots) {
            if (!d.in.skip(slot.encodedName)) {
                throw d.in.bad("another field than " + slot.name + " of " + type.getName());
            }
            Slot.read(d, value, slot.offset, slot.kind, slot.type);
        }
        for (; more > 0; more--) {
            d.beside.put(d.in.string(), d.read());
        }
        if (number >= 0) {
            d.finish(number);
        }
        return value;
    }

    @Override
    int hash(Object value) {
        int hash = super.hash(value);
        for (int i = 0; i < slots.length && i < HASHED; i++) {
            Slot slot = slots[i];
            hash = hash * 31 + switch (slot.kind) {
                case 'I' -> Slot.UNSAFE.getInt(value, slot.offset);
                case 'J' -> Long.hashCode(Slot.UNSAFE.getLong(value, slot.offset));
                case 'L' -> hashOf(Slot.UNSAFE.getReference(value, slot.offset));
                default -> 0;
            };
        }
        return hash;
    }

    private static int hashOf(Object field) {
        return field instanceof String || field instanceof Integer || field instanceof Long ? field.hashCode() : 0;
    }
}
