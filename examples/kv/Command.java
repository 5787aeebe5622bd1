package kv;

/** An operation on the store, about one key. Its result is the value that the key had before it; null if it had none. */
public sealed interface Command {
    String key();

    /** Reads a value. */
    record Get(String key) implements Command {}

    /** Writes a value. */
    record Put(String key, int value) implements Command {}
}
