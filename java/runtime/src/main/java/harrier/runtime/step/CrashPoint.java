package harrier.runtime.step;

/**
 * Where in the execution of a handler its actor crashes.
 *
 * @param number twice the number of effects that are over, plus one right before the next, or the end
 * @param where what people call it, such as "after sending Ticket to guest1"
 * @param isWhole whether the handler was through, so that it is the handler and then a crash
 */
public record CrashPoint(int number, String where, boolean isWhole) {}
