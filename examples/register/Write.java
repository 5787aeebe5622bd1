package register;

/** The operation of the writer. It has no result. */
public record Write(int value) {}
