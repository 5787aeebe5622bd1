package register;

/** The operation of a reader. Its result is the value that it read. */
public record Read() {}
