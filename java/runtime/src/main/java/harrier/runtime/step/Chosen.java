package harrier.runtime.step;

import java.util.List;

/**
 * What a replay for a debugger does of all that may be done.
 *
 * @param number of the step in the trace, from 1
 * @param handler the label of the handler that runs
 * @param choices what {@code choose} answers
 */
public record Chosen(int number, String handler, List<Integer> choices) {}
