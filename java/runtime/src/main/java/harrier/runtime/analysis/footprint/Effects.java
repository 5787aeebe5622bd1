package harrier.runtime.analysis.footprint;

import harrier.runtime.wire.Target;
import harrier.runtime.wire.TouchedField;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What code may do to its actor and to others. Each entry says where, as file and line, and why if that is not plain.
 */
final class Effects {
    /** Fields, by class and name as {@code Class.getName} gives it; or a {@link TouchedField}. */
    final Map<String, String> reads = new LinkedHashMap<>();
    final Map<String, String> writes = new LinkedHashMap<>();
    final Map<Sending, String> sends = new LinkedHashMap<>();
    final Set<Deed> deeds = new LinkedHashSet<>();

    /** What code does besides. */
    enum Deed { CREATES, STOPS, RECORDS }

    /**
     * A message that may be sent.
     *
     * @param type the class, as {@code Class.getName} gives it; empty if it is not known
     * @param field of those whose names are in a field
     */
    record Sending(String type, Target to, String field) {}

    void read(String field, String where) {
        reads.putIfAbsent(field, where);
    }

    void write(String field, String where) {
        writes.putIfAbsent(field, where);
    }

    void send(String type, Target to, String field, String where) {
        sends.putIfAbsent(new Sending(type, to, field), where);
    }

    /** Code runs of which nothing is known. */
    void anything(String where) {
        read(TouchedField.ANY_FIELD, where);
        write(TouchedField.ANY_FIELD, where);
        read(TouchedField.AGENDA, where);
        write(TouchedField.AGENDA, where);
        send("", Target.TO_ANYBODY, "", where);
        deeds.addAll(Set.of(Deed.values()));
    }

    void add(Effects more) {
        more.reads.forEach(this::read);
        more.writes.forEach(this::write);
        more.sends.forEach(sends::putIfAbsent);
        deeds.addAll(more.deeds);
    }
}
