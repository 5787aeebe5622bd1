package harrier.runtime.step;

import harrier.runtime.actor.NewActors;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.refuse.Stack;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Whether a handler sends something before it makes something durable, which a crash in between would show. */
final class EarlySends implements EffectWatch {
    private static final byte[] UNKNOWN = {};

    private final Codec codec;
    private final Object actor;
    private final List<Field> durable;
    private boolean isSend;
    /** The durable values after the first message was sent, and where that was; null before. */
    private List<byte[]> first;
    private String place;

    EarlySends(Codec codec, Object actor) {
        this.codec = codec;
        this.actor = actor;
        durable = NewActors.durable(actor.getClass());
    }

    @Override
    public void begins(Effect effect) {
        isSend = effect.kind() == Kind.SEND;
    }

    @Override
    public void ends() {
        if (isSend && first == null) {
            first = held();
            place = Stack.place();
        }
    }

    /** Notes it, if the handler that is through did so. */
    void end(String handler) {
        List<byte[]> last = first == null ? List.of() : held();
        for (int i = 0; i < last.size(); i++) {
            if (!Arrays.equals(first.get(i), last.get(i))) {
                Class<?> type = durable.get(i).getDeclaringClass();
                String field = ProgramLoader.labels(type).of(type) + "." + durable.get(i).getName();
                Guard.here().notes().add(handler
                    + " sends before it makes {}: faults().crashes(…).withinHandlers() tests crashes in between",
                    field + " durable" + place.substring(place.indexOf(" (")));
                return;
            }
        }
    }

    private List<byte[]> held() {
        List<byte[]> held = new ArrayList<>();
        for (Field field : durable) {
            try {
                held.add(codec.encode(field.get(actor)));
            } catch (NotCapturableException e) {
                held.add(UNKNOWN); // such as what refers to the actor
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        return held;
    }
}
