package harrier.runtime.codec;

import harrier.host.Resumed;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.FieldsPlan;
import harrier.runtime.codec.graph.Slots;
import java.lang.reflect.Modifier;

/** Writes the fields of an object that is told before, other than transient ones, and tells it once all objects were read. */
final class ResumedPlan extends FieldsPlan {
    ResumedPlan(Class<?> type) {
        super(type, Tag.OBJECT, Slots.shown(type).stream().filter(s -> !Modifier.isTransient(s.field.getModifiers())).toList());
    }

    @Override
    public void write(Encoder e, Object value) {
        ((Resumed) value).capture();
        super.write(e, value);
    }

    @Override
    public Object read(Decoder d, int tag) {
        Resumed read = (Resumed) super.read(d, tag);
        d.atEnd(read::resume);
        return read;
    }
}
