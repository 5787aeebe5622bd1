package harrier.runtime.codec.jdk;

import harrier.runtime.codec.graph.Decoder;
import harrier.runtime.codec.graph.Encoder;
import harrier.runtime.codec.graph.Plan;
import java.util.ArrayList;
import java.util.List;

/** A view of a part of a list. In a message, which is a copy, it is a list of its own; in an actor's state it is refused. */
final class SubListPlan extends Plan {
    SubListPlan(Class<?> type) {
        super(type);
    }

    static boolean has(Class<?> type) {
        return List.class.isAssignableFrom(type) && type.getName().endsWith("SubList");
    }

    @Override
    public void write(Encoder e, Object value) {
        if (e.isOfState()) {
            throw e.refuse(type, "it is a view of another list; copy it: new ArrayList<>(list.subList(from, to))");
        }
        e.writeInPlace(new ArrayList<>((List<?>) value));
    }

    @Override
    public Object read(Decoder d, int tag) {
        throw d.in.bad("a " + type.getName() + " cannot be captured");
    }
}
