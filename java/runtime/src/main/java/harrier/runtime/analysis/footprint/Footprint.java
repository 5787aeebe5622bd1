package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.footprint.Effects.Deed;
import harrier.runtime.analysis.footprint.Effects.Sending;
import harrier.runtime.wire.Target;
import harrier.runtime.wire.TouchedField;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a handler may do: more than it does, never less. It is what static partial-order reduction goes by, in the
 * manner of Bokor, Kinder, Serafini and Suri, "Efficient model checking of fault-tolerant distributed protocols" (DSN
 * 2011).
 *
 * @param handler its label
 * @param guardReads the reads that decide whether it accepts messages, as {@code Effects} names it
 */
public record Footprint(String handler, List<Touch> guardReads, List<Touch> reads, List<Touch> writes, List<Send> sends,
        boolean creates, boolean stops, boolean records) {
    /**
     * A field that may be read or written.
     *
     * @param field its class, as {@code Class.getName} gives it, and its name; or a {@link TouchedField}
     * @param where file and line of the instruction, and what made it so if that is not plain
     */
    public record Touch(String field, String where) {}

    /**
     * A message that may be sent.
     *
     * @param type its class, as {@code Class.getName} gives it; empty if it is not known
     * @param field of {@link Target#TO_FIELD}: which field
     */
    public record Send(String type, Target to, String field, String where) {}

    static Footprint of(String handler, Effects guard, Effects body) {
        List<Send> sends = new ArrayList<>();
        for (Map.Entry<Sending, String> s : body.sends.entrySet()) {
            sends.add(new Send(s.getKey().type(), s.getKey().to(), s.getKey().field(), s.getValue()));
        }
        return new Footprint(handler, touches(guard.reads), touches(body.reads), touches(body.writes), sends,
            body.deeds.contains(Deed.CREATES), body.deeds.contains(Deed.STOPS), body.deeds.contains(Deed.RECORDS));
    }

    private static List<Touch> touches(Map<String, String> fields) {
        List<Touch> found = new ArrayList<>();
        fields.forEach((field, where) -> found.add(new Touch(field, where)));
        return found;
    }
}
