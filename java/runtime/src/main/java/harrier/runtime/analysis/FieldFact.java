package harrier.runtime.analysis;

import java.util.List;

/**
 * What is known of one field of one class of actors or messages.
 *
 * @param type the concrete class, as {@code Class.getName} has it
 * @param field the field, as the structured format names it
 * @param owner the class that declares it, as {@code Class.getName} has it
 * @param verdict whether it is auxiliary
 * @param reason for all but confirmed auxiliary fields: how it influences what matters, one step a line
 * @param seen where an invariant may read it, or why it may; empty if none can
 */
public record FieldFact(String type, String field, String owner, Verdict verdict, List<String> reason, String seen) {}
