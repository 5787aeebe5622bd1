package harrier.host;

/**
 * A frame of a waiting thread: a call of a method of the program that has not returned.
 *
 * @param method the method, as its class, a dot, its name and its descriptor
 * @param line the line of the call that waits
 * @param place the number of that call among those of the method that may wait
 * @param self what the method was called on; null if it is static
 * @param values what the rest of the method reads of its operand stack and of its variables
 */
public record Frame(String method, int line, int place, Object self, Object[] values) implements ThreadState {}
