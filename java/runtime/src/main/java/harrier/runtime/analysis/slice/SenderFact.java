package harrier.runtime.analysis.slice;

import harrier.runtime.wire.Verdict;
import java.util.List;

/**
 * The facts of the sender of the messages of one class, where actors of one class take them.
 *
 * @param message the class of the messages, as {@code Class.getName} gives it
 * @param actor the class of the actors, likewise
 * @param verdict whether it is auxiliary
 * @param reason for all but confirmed auxiliary ones: how it influences a criterion, one step a line
 */
public record SenderFact(String message, String actor, Verdict verdict, List<String> reason) {}
