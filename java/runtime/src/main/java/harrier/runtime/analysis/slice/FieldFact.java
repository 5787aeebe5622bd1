package harrier.runtime.analysis.slice;

import harrier.runtime.wire.Verdict;
import java.util.List;
import java.util.Map;

/**
 * The facts of one field of one class of actors or messages.
 *
 * @param type the concrete class, as {@code Class.getName} gives it
 * @param field the field, as the structured format names it
 * @param owner the class that declares it, as {@code Class.getName} gives it
 * @param verdict whether it is auxiliary
 * @param forProperties whether it is relevant only as properties depend on it
 * @param reason for all but confirmed auxiliary fields: how it influences a criterion, one step a line
 * @param seen by the name of a property's method, where it may read the field, or why it may
 */
public record FieldFact(String type, String field, String owner, Verdict verdict, boolean forProperties,
        List<String> reason, Map<String, String> seen) {}
